/// The capture of a stream's termination handler.
///
/// It is separate from the views of continuations, which are compiled into their callers, where an element's type is known.
@usableFromInline
struct TerminationCapture: Sendable {
    private let captured: BoundaryCapture
    private let choice: HandlerIdentity

    @usableFromInline
    init(runningAs choice: HandlerIdentity, _ fileID: StaticString, _ line: UInt) {
        captured = BoundaryCapture(at: .streamTermination, fileID, line)
        self.choice = choice
    }

    /// Runs the handler when the stream ends.
    ///
    /// - Parameters:
    ///   - isCancelled: True if the stream was cancelled or dropped, rather than finished.
    ///   - handler: The handler.
    @usableFromInline
    func handle(isCancelled: Bool, _ handler: () -> Void) {
        let isKnown = !isCancelled || !Task.isCancelled
        captured.restore(triggeredBy: isKnown ? .ofTrigger : nil, runningAs: choice, handler)
    }
}
