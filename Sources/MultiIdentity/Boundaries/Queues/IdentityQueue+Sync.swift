public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and waits for it.
    ///
    /// Called from main code, `work` counts as on main too.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws, with its type.
    /// - Complexity: O(1) besides the waiting. Where `work` runs on the calling thread, nothing is bound anew.
    @inlinable
    public func sync<Value, Failure: Error>(execute work: () throws(Failure) -> Value) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        runAndWait { result = Result(catching: work) }
        return try result.mustHaveRun().get()
    }

    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and waits for it.
    ///
    /// - Parameters:
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws, with its type.
    /// - Complexity: O(1) besides the waiting. Where `work` runs on the calling thread, nothing is bound anew.
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
            guard let batches else { return base.sync(execute: workItem) }
            batches.sync { workItem.perform() }
        }
    }

    @usableFromInline
    func runAndWait(_ work: () -> Void) {
        let caller = CallersThread(at: .sync, of: base.label)
        CallersThread.wait {
            switch route {
            case .handle(let handle): handle.sync(as: caller, work)
            case .batches(let batches): batches.sync { caller.run(work) }
            case .closures: base.sync { caller.run(work) }
            }
        }
    }

    @usableFromInline
    func runAndWait(_ flags: DispatchWorkItemFlags, _ work: () -> Void) {
        let caller = CallersThread(at: .sync, of: base.label)
        CallersThread.wait {
            guard let batches else { return base.sync(flags: flags) { caller.run(work) } }
            batches.sync(flags: flags) { caller.run(work) }
        }
    }
}
