#if canImport(Darwin)
public import Dispatch

// Dispatch on Linux has no `asyncAndWait`.
extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and waits for it.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The error that `work` throws, with its type.
    public func asyncAndWait<Value, Failure: Error>(
        execute work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try asyncAndWait(flags: [], execute: work)
    }

    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and waits for it.
    ///
    /// - Parameters:
    ///   - flags: The flags of the work, such as `.barrier`.
    ///   - work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The error that `work` throws, with its type.
    public func asyncAndWait<Value, Failure: Error>(
        flags: DispatchWorkItemFlags,
        execute work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        let caller = CallersThread(at: .sync, of: base.label)
        CallersThread.wait {
            inTurn(flags: flags, { base.asyncAndWait(flags: flags, execute: $0) }) {
                caller.run { result = Result(catching: work) }
            }
        }
        return try result.mustHaveRun().get()
    }

    /// Captured when the item was created: runs a work item on this queue, and waits for it.
    ///
    /// - Parameter workItem: The item.
    public func asyncAndWait(execute workItem: DispatchWorkItem) {
        CallersThread.wait {
            if let turns { return turns.sync(false, { _ in base.asyncAndWait(execute: workItem) }) {} }
            if batches == nil { return base.asyncAndWait(execute: workItem) }
            inTurn({ base.asyncAndWait(execute: $0) }) { workItem.perform() }
        }
    }
}
#endif
