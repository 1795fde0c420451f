#if os(Linux)
import CMultiIdentityScheduling
import Synchronization

/// A `Mutex` that a schedule sees: taking it and giving it back are steps, at which another piece can go on.
///
/// The compiler puts a `Mutex` into the code that uses it, where nothing can be intercepted. A test takes this type in its place.
/// Outside a schedule it is a `Mutex`.
public struct CheckedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let steps = CheckedSteps()

    /// Makes a mutex that no one holds.
    /// - Parameter initialValue: The value that it guards.
    public init(_ initialValue: consuming sending Value) { mutex = Mutex(initialValue) }

    /// Runs a closure while no one else can reach the value, and waits for that.
    /// - Parameter body: The closure.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    public borrowing func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        steps.step(mi_step_lock, .writes)
        defer { steps.step(mi_step_unlock, .writes) }
        return try mutex.withLock(body)
    }

    /// Runs a closure while no one else can reach the value, unless someone does already.
    /// - Parameter body: The closure.
    /// - Returns: What it returns; `nil` where it did not run.
    /// - Throws: What it throws.
    public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result? {
        steps.step(mi_step_try, .writes)
        defer { steps.step(mi_step_unlock, .writes) }
        return try mutex.withLockIfAvailable(body)
    }
}

/// The steps of one value that a schedule sees.
struct CheckedSteps: Sendable {
    private let made = mi_scheduled_made_here()

    /// Lets others go on, and says how what comes next touches the value.
    func step(_ step: mi_scheduled_step, _ access: ScheduledTouches.Access) {
        guard mi_scheduled_is_here(), let schedule = Schedule.current else { return }
        let identity = mi_scheduled_identity(made, nil)
        let object = identity == 0 ? ScheduledTouches.Shared.locks.rawValue : identity
        schedule.touch(object, access)
        schedule.step(step, UnsafeRawPointer(bitPattern: UInt(identity)))
        schedule.touch(object, access)
    }
}
#endif
