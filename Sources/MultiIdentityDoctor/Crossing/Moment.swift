/// A moment in a boundary at which some code runs, and the identity could be captured.
@_spi(Catalogue) public enum Moment: String, Sendable, CaseIterable {
    case created, dispatched, called, registered, set, added, started, awaited, inserted, scheduled
    case performed, posted, fired, cancelled, escalated, changed, finished, released, resumed, emptied, written, closed,
        run, merged, raised, iterated

    /// The words of a verdict for the identity that acts then.
    package var actor: String {
        switch self {
        case .performed: "the identity that performs it"
        case .posted: "the identity that posts"
        case .run: "the identity that runs the loop"
        case .cancelled: "the identity that cancels"
        case .escalated: "the identity that escalates"
        case .changed: "the identity that makes the change"
        case .finished: "the identity that ends it"
        case .released: "the identity that releases it last"
        case .resumed: "the identity that resumes it"
        case .iterated: "the identity that iterates it"
        case .started: "the identity that starts it"
        default: "the identity that acts when it is \(rawValue)"
        }
    }
}
