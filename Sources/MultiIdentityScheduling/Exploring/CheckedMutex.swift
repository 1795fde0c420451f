#if os(Linux)
import CMultiIdentityScheduling
import Synchronization

/// A `Mutex` that a schedule controls: locking and unlocking are steps, at which another work item can run.
///
/// The compiler inlines `Mutex`, so it cannot be intercepted. Use this type in its place in a test.
/// Outside a schedule it is a `Mutex`.
public struct CheckedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let steps = CheckedSteps()

    /// Creates an unlocked mutex.
    /// - Parameter initialValue: The value that it guards.
    public init(_ initialValue: consuming sending Value) { mutex = Mutex(initialValue) }

    /// Locks the mutex, waiting if necessary, and runs a closure with the value.
    /// - Parameter body: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
    public borrowing func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        steps.step(mi_step_lock, .writes)
        defer { steps.step(mi_step_unlock, .writes) }
        return try mutex.withLock(body)
    }

    /// Runs a closure with the value if the mutex is unlocked.
    /// - Parameter body: The closure.
    /// - Returns: The closure's result; `nil` if it did not run.
    /// - Throws: The closure's error.
    public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result? {
        steps.step(mi_step_try, .writes)
        defer { steps.step(mi_step_unlock, .writes) }
        return try mutex.withLockIfAvailable(body)
    }
}

/// The steps of one value that a schedule controls.
struct CheckedSteps: Sendable {
    private let made = mi_scheduled_made_here()

    /// Lets other work items run, and records how the next access accesses the value.
    func step(_ step: mi_scheduled_step, _ access: StepAccesses.Access) {
        guard mi_scheduled_is_here(), let schedule = Schedule.current else { return }
        let identity = mi_scheduled_identity(made, nil)
        let object = identity == 0 ? StepAccesses.Shared.locks.rawValue : identity
        schedule.recordAccess(object, access)
        schedule.step(step, UnsafeRawPointer(bitPattern: UInt(identity)))
        schedule.recordAccess(object, access)
    }
}
#endif
