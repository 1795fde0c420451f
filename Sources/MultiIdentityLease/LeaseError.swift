public import MultiIdentity

/// A lease was refused, a use of one, a message, or what is keyed by identity: what was wrong, with which value, what to do.
///
/// That an identity is revoked is `IdentityError` with `.revoked`, and that the task was cancelled `CancellationError`. What the
/// closures of a pool, a binding or a consumer throw comes out as it is.
public struct LeaseError: CodedError {
    /// The code of what went wrong, to match on.
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
    /// Nobody is bound here, and leases without an identity are refused, or the value is not declared to be shared.
    public static var noIdentity: Self { Self() }
    /// No resource was ready within the limit on waiting.
    public static var timedOut: Self { Self() }
    /// The pool was shut down, and not every resource came back in time.
    public static var stillLeased: Self { Self() }
    /// As many wait as may wait.
    public static var tooManyWaiting: Self { Self() }
    /// The task, or the thread, has a lease of this pool already, and would wait for another one; or a load asks for a key whose
    /// load waits for it.
    public static var wouldDeadlock: Self { Self() }
    /// The pool was shut down.
    public static var shutDown: Self { Self() }
    /// The lease, or the message, has ended.
    public static var ended: Self { Self() }
    /// The lease, or what follows a message's handler, has lasted longer than it may.
    public static var exceededMaxDuration: Self { Self() }
    /// The work counts as another identity's here than the lease is for.
    public static var wrongIdentity: Self { Self() }
    /// The resource cannot be used any more: a transaction on it could not be ended, or a use of it was cancelled.
    public static var unusable: Self { Self() }
    /// A synchronous lease needs closures that are asynchronous.
    public static var needsAsynchronousCode: Self { Self() }
    /// A transaction was begun, and the binding says nothing of transactions.
    public static var noTransactions: Self { Self() }
    /// A value that somebody's work made was to be shared among all.
    public static var belongsToSomebody: Self { Self() }
    /// The batch was loaded, and has no value for the key.
    public static var noAnswer: Self { Self() }
    /// The message names no owner, or one that no verifier has believed.
    public static var unverified: Self { Self() }
}
