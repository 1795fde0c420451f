import MultiIdentity

extension BoundaryCapture {
    /// A closure that runs `work` as the captured identity, and lets go of the identity at its first call; it is
    /// shown who ended the operation.
    ///
    /// For closures that somebody keeps long after they have run, as an operation keeps its completion block.
    func wrapOnce(
        _ work: @escaping @Sendable () -> Void,
        endedBy end: OperationEnd
    ) -> @Sendable () -> Void {
        let held = Locked<BoundaryCapture?>(self)
        return {
            let captured = held.withLock { held in
                defer { held = nil }
                return held
            }
            if let captured { captured.restore(triggeredBy: end.takeTrigger(), work) } else { work() }
        }
    }
}
