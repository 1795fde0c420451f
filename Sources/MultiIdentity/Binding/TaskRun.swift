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
        // Features can be turned on and off in a run, whose end reinstates what it changed.
        var account: IdentityAccounting?
        var isShown = false
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
        var running = Running(task: bound == nil ? nil : job, bound: bound ?? .nothing)
        withUnsafeMutablePointer(to: &running) { running in
            continued(running, as: bound, begins: true, features)
            thread.pointee.run = UnsafeMutableRawPointer(running)
            body()
            // A response to the use of limits is none of the task.
            thread.pointee.run = outer
            WorkLimits.change(to: limits)
            if running.pointee.isShown { mi_thread_context_show(shown) }
            running.pointee.account?.end()
        }
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
    @inline(__always)
    static func scopeBegins(_ scope: IdentitySnapshot) {
        let features = BindingFeatures.inUse
        if !features.isDisjoint(with: .inTaskRuns) { continueInside(scope, features) }
    }

    @inline(never)
    private static func continueInside(_ scope: IdentitySnapshot, _ features: BindingFeatures) {
        if change(to: scope, begins: true, features) { return }
        // In a run that is not known, such as of a task that began at once on this thread, no one reports when the scope leaves it.
        if features.contains(.accounts) { IdentityAccounting.disown(unlessOf: scope.identity) }
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
        continued(run, as: bound, begins: begins, features)
        // Last: until here the former one is kept alive.
        run.pointee.bound = bound
        return true
    }

    private static func continued(
        _ run: UnsafeMutablePointer<Running>,
        as bound: IdentitySnapshot?,
        begins: Bool,
        _ features: BindingFeatures
    ) {
        // First: a response to what was used until here runs as that did.
        WorkLimits.change(to: bound?.limits)
        let (isCharged, isShown) = (features.contains(.accounts), features.contains(.threadContext))
        if run.pointee.account == nil {
            if isCharged { run.pointee.account = .begin(runOf: bound) }
        } else if isCharged || !begins {
            IdentityAccounting.change(to: bound?.identity, begins: begins)
        }
        if isShown || run.pointee.isShown {
            run.pointee.isShown = true
            ThreadContext.show(isShown ? bound : nil)
        }
    }
}

extension IdentitySnapshot {
    /// The limits of its tree of work.
    fileprivate var limits: Borrowed<WorkLimits>? { frame?.origin.contents.limits.map { Borrowed($0) } }
}
