public import Dispatch
public import MultiIdentity

/// A queue as the routes need it: `DispatchQueue` and `IdentityQueue` both are one, so that only declarations differ.
public protocol WorkQueue: Sendable {
    /// Runs `work` on the queue.
    ///
    /// - Parameter work: The work.
    func submit(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` on the queue once `delay` has passed.
    ///
    /// - Parameters:
    ///   - delay: How long to wait at least.
    ///   - work: The work.
    func submit(after delay: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void)
}

extension DispatchQueue: WorkQueue {
    /// Runs `work` on the queue.
    public func submit(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

    /// Runs `work` on the queue once `delay` has passed.
    public func submit(after delay: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void) {
        asyncAfter(deadline: .now() + delay, execute: work)
    }
}

extension IdentityQueue: WorkQueue {
    /// Captured when submitted: runs `work` on the queue.
    public func submit(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

    /// Captured when submitted: runs `work` on the queue once `delay` has passed.
    public func submit(after delay: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void) {
        asyncAfter(deadline: .now() + delay, execute: work)
    }
}

extension WorkQueue {
    /// Runs blocking `work` on the queue, away from the threads that serve requests, and waits without blocking.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: Result { try work() }) }
        }
    }
}
