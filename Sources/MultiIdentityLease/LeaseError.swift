public import MultiIdentity

/// A refused lease, use of a lease, message or keyed operation.
///
/// It says what is wrong, with which value, and what to do.
///
/// A revoked identity is reported as `IdentityError` with `.revoked`, and a cancelled task as `CancellationError`. Errors from the
/// closures of a pool, a binding or a consumer are rethrown unchanged.
public struct LeaseError: CodedError {
    /// The error code, to match on.
    public let code: ErrorCode<LeaseError>
    /// The message for people: what was tried, with which value, and what to do.
    public let message: String

    @usableFromInline
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == LeaseError {
    /// No identity is bound here, and leases without an identity are refused, or the value is not declared shared.
    public static var noIdentity: Self { Self() }
    /// No resource was ready within the wait timeout.
    public static var timedOut: Self { Self() }
    /// The pool was shut down, but not every resource came back in time.
    public static var stillLeased: Self { Self() }
    /// The maximum number of callers already waits.
    public static var tooManyWaiting: Self { Self() }
    /// The task or thread already has a lease of this pool and would wait for another; or a load asks for a key whose load waits for
    /// it.
    public static var wouldDeadlock: Self { Self() }
    /// The pool is shut down.
    public static var shutDown: Self { Self() }
    /// The lease or the message has ended.
    public static var ended: Self { Self() }
    /// The lease, or the steps after a message's handler, exceeded the time limit.
    public static var exceededMaxDuration: Self { Self() }
    /// The current identity is not the one that the lease is for.
    public static var wrongIdentity: Self { Self() }
    /// The resource can no longer be used: a transaction on it could not begin or end, or a use of it was cancelled.
    public static var unusable: Self { Self() }
    /// A synchronous lease needs closures that are asynchronous.
    public static var needsAsynchronousCode: Self { Self() }
    /// A transaction was requested, but the binding supports none.
    public static var noTransactions: Self { Self() }
    /// A caller with an identity tried to store a value in a cache that all callers share.
    public static var belongsToSomebody: Self { Self() }
    /// The batch was loaded, but has no value for the key.
    public static var noAnswer: Self { Self() }
    /// The message names no owner, or one that no verifier has accepted.
    public static var unverified: Self { Self() }
}
