import CMultiIdentity

/// A run of a task on this thread: from where a job of it begins to where the task suspends, or ends.
///
/// Swift reports no switch from one task to another. Those who hand a job to a thread report its run instead: an executor of ours,
/// and automatic mode for Swift's own. What is bound in the task then says whose run it is, and its scopes change that.
package enum TaskRun: Sendable {
    private struct Running {
        /// `nil`: the job is not known to be a task's.
        let task: UnsafeRawPointer?
        /// What is bound, and kept alive: a task that ends releases its bindings in its run.
        var bound: IdentitySnapshot
    }

    /// Runs a job by `body`, charged, limited and shown as what is bound in its task.
    ///
    /// - Parameters:
    ///   - job: The address of the job, which must not run yet.
    ///   - body: Runs it.
    package static func run(_ job: UnsafeRawPointer, _ body: () -> Void) {
        let (features, thread) = (BindingFeatures.inUse, mi_thread_current())
        guard !features.isDisjoint(with: .inTaskRuns) else { return body() }
        let (bound, outer) = (bound(in: job), thread.pointee.run)
        let (shown, limits) = (mi_thread_context_shown(), WorkLimits.here)
        let account = features.contains(.accounts) ? IdentityAccounting.begin(runOf: bound) : nil
        var running = Running(task: bound == nil ? nil : job, bound: bound ?? .nothing)
        withUnsafeMutablePointer(to: &running) { running in
            thread.pointee.run = UnsafeMutableRawPointer(running)
            WorkLimits.change(to: bound?.limits)
            if features.contains(.threadContext) { ThreadContext.show(bound) }
            body()
            if features.contains(.threadContext) { mi_thread_context_show(shown) }
            WorkLimits.change(to: limits)
            thread.pointee.run = outer
        }
        account?.end()
    }

    /// Returns what is bound in the task of a job; `nil` if the job is not known to be a task's.
    private static func bound(in job: UnsafeRawPointer) -> IdentitySnapshot? {
        var bits: UInt = 0
        guard BoundListTrial.hasPassed, mi_bound_in_job(job, &bits) else { return nil }
        return IdentitySnapshot(word: bits)
    }

    /// Returns whose task a job is of; `nil` also if that is not known.
    static func identity(of job: UnsafeRawPointer) -> Identity? { bound(in: job)?.identity }

    // MARK: Scopes of the task

    /// Continues the run as an asynchronous scope, which begins here.
    static func scopeBegins(_ scope: IdentitySnapshot) {
        let features = BindingFeatures.inUse
        if features.isDisjoint(with: .inTaskRuns) || change(to: scope, begins: true, features) { return }
        // In a run that is not known, nobody reports when the scope leaves this thread.
        if features.contains(.threadContext) { ThreadContext.hide(unlessOf: scope.identity) }
    }

    /// Continues the run as what is bound outside a scope, which ended.
    @inline(__always)
    static func scopeEnds() { if mi_thread_current().pointee.run != nil { continueOutside() } }

    @inline(never)
    private static func continueOutside() { _ = change(to: ThreadMirror.current(), begins: false, .inUse) }

    private static func change(to bound: IdentitySnapshot, begins: Bool, _ features: BindingFeatures) -> Bool {
        guard let run = mi_thread_current().pointee.run?.assumingMemoryBound(to: Running.self),
            UInt(bitPattern: run.pointee.task) == mi_task_current()
        else { return false }
        if features.contains(.accounts) { IdentityAccounting.change(to: bound.identity, begins: begins) }
        WorkLimits.change(to: bound.limits)
        if features.contains(.threadContext) { ThreadContext.show(bound) }
        // Last: until here the former one is kept alive.
        run.pointee.bound = bound
        return true
    }
}

extension IdentitySnapshot {
    /// The limits of its tree of work.
    fileprivate var limits: Borrowed<WorkLimits>? { frame?.origin.contents.limits.map { Borrowed($0) } }
}
