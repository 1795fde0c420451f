public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and waits for it.
    ///
    /// If called from main code, `work` also counts as on main.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The error that `work` throws, with its type.
    /// - Complexity: O(1) besides the waiting. If `work` runs on the calling thread, nothing is bound again.
    @inlinable
    public func sync<Value, Failure: Error>(execute work: () throws(Failure) -> Value) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        runAndWait { result = Result(catching: work) }
        return try result.mustHaveRun().get()
    }

    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and waits for it.
    ///
    /// - Parameters:
    ///   - flags: The flags of the work, such as `.barrier`.
    ///   - work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The error that `work` throws, with its type.
    /// - Complexity: O(1) besides the waiting. If `work` runs on the calling thread, nothing is bound again.
    @inlinable
    public func sync<Value, Failure: Error>(
        flags: DispatchWorkItemFlags,
        execute work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        runAndWait(flags) { result = Result(catching: work) }
        return try result.mustHaveRun().get()
    }

    /// Captured when the item was created: runs a work item on this queue, and waits for it.
    ///
    /// - Parameter workItem: The item.
    public func sync(execute workItem: DispatchWorkItem) {
        CallersThread.wait {
            if let turns { return turns.sync(false, { _ in base.sync(execute: workItem) }) {} }
            if batches == nil { return base.sync(execute: workItem) }
            inTurn({ base.sync(execute: $0) }) { workItem.perform() }
        }
    }

    @usableFromInline
    func runAndWait(_ flags: DispatchWorkItemFlags? = nil, _ work: () -> Void) {
        let caller = CallersThread(at: .sync, of: base.label)
        if flags == nil, case .handle(let handle) = route {
            return CallersThread.wait { handle.sync(as: caller, work) }
        }
        let flags = flags ?? []
        CallersThread.wait { inTurn(flags: flags, { base.sync(flags: flags, execute: $0) }) { caller.run(work) } }
    }

    /// Runs `work` in order through `wait`, which is Dispatch's function: when its turn has come in a fair queue, and again while
    /// a queue that drains in batches is behind.
    func inTurn(
        flags: DispatchWorkItemFlags = [],
        _ wait: @escaping (() -> Void) -> Void,
        _ work: () -> Void
    ) {
        if let turns { return turns.sync(flags.contains(.barrier), wait, work) }
        guard let batches else { return wait(work) }
        var hasRun = false
        while !hasRun {
            wait {
                guard batches.isUpToDate else { return }
                hasRun = true
                work()
            }
        }
    }
}
