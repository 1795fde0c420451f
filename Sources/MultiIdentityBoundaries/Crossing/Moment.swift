/// A moment at which somebody's code has a part in a boundary, and at which the identity could be taken.
@_spi(Catalogue) public enum Moment: String, Sendable, CaseIterable {
    case created, dispatched, called, registered, set, added, started, awaited, inserted, scheduled
    case performed, posted, fired, cancelled, escalated, changed, finished, released, resumed, emptied, written, closed,
        run, merged, raised, iterated

    /// The words for the one that acts then, as a verdict has them.
    package var actor: String {
        switch self {
        case .performed: "whoever performs it"
        case .posted: "whoever posts"
        case .run: "whoever runs the loop"
        case .cancelled: "whoever cancels"
        case .escalated: "whoever escalates"
        case .changed: "whoever makes the change"
        case .finished: "whoever ends it"
        case .released: "whoever releases it last"
        case .resumed: "whoever resumes it"
        case .iterated: "whoever iterates it"
        case .started: "whoever starts it"
        default: "whoever acts when it is \(rawValue)"
        }
    }
}
