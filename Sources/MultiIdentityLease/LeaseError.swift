public import MultiIdentity

/// An error of a pool, a lease, a message consumer, or a keyed cache, flight or batch.
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
    /// No identity is bound here, but the lease or the value needs one.
    public static var noIdentity: Self { Self() }
    /// No resource was ready within the wait timeout.
    public static var timedOut: Self { Self() }
    /// The pool was shut down, but not every resource came back in time.
    public static var stillLeased: Self { Self() }
    /// The maximum number of callers is already waiting.
    public static var tooManyWaiting: Self { Self() }
    /// The call would wait for its own caller: for a second lease in a lease of the same pool, or for a load in that load.
    public static var wouldDeadlock: Self { Self() }
    /// The pool is shut down.
    public static var shutDown: Self { Self() }
    /// The lease has ended, or its identity was revoked and readmitted meanwhile.
    public static var ended: Self { Self() }
    /// The lease, or the steps after a message's handler, exceeded the time limit.
    public static var exceededMaxDuration: Self { Self() }
    /// The current identity is not the one that the lease is for.
    public static var wrongIdentity: Self { Self() }
    /// The resource can no longer be used: a transaction on it could not begin or end, or a use of it was cancelled.
    public static var unusable: Self { Self() }
    /// A synchronous lease was requested, but the closures that it needs are asynchronous.
    public static var requiresAsync: Self { Self() }
    /// A transaction was requested, but the binding supports none.
    public static var noTransactions: Self { Self() }
    /// A caller with an identity tried to store a value in a cache that all callers share.
    public static var identityNotAllowed: Self { Self() }
    /// The batch was loaded, but has no value for the key.
    public static var missingValue: Self { Self() }
    /// The message names no owner, or one that no verifier has accepted.
    public static var unverified: Self { Self() }
}
