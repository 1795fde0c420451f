public import MultiIdentity

/// Shows profilers outside the process whose work each thread runs, without asking the process for each sample.
///
/// ```swift
/// try IdentityThreadContext.turnOn()  // once, when the program starts
/// …
/// IdentityThreadContext.identity(of: "5f0c11e2a94b7d38")  // the identity that a profile calls so
/// ```
///
/// While work that a boundary handed over runs, or a synchronous scope, its thread has a record as OpenTelemetry's proposals 4947 and
/// 4719 define it, with the attribute `user.hash`: a pseudonym of the identity, never its name. With the thread level unset,
/// or nobody, there is none. If someone acts for an identity, it is the identity's.
///
/// A task has the record of what is bound in it if its executor is an `IdentityTaskExecutor`, or Swift's own one in automatic mode. On
/// others it has none outside its synchronous scopes, since Swift reports no switch between tasks; jobs of default actors have none.
///
/// The program depends on the product `MultiIdentityThreadContext` besides, a library of its own: profilers find the record by a
/// dynamic symbol, which a program itself does not have. It is for Linux.
///
/// - Note: A reader has to stop or interrupt the thread, as profilers do, or to read the thread's pointer again after the record.
/// - Warning: A scope or a piece of work is shown while its thread runs unrelated tasks in it: by a run loop, the main queue or
///   `Task.immediateDetached`, or as a job that an executor of yours hands to an identity queue: use `IdentityTaskExecutor`, or hand it
///   over with nothing bound.
public enum IdentityThreadContext: Sendable {
    /// Indicates whether records are shown; `false` until ``turnOn()``.
    ///
    /// If they are off, they cost nothing.
    public static var isOn: Bool { ThreadContext.isOn }

    /// Shows the work that begins from now on, and publishes the process context by which profilers know the records.
    ///
    /// - Throws: ``IdentityThreadContextError`` if profilers could not find or understand the records; then nothing is shown.
    public static func turnOn() throws(IdentityThreadContextError) {
        switch ThreadContext.turnOn() {
        case nil: return
        case .notLinked: throw .notLinked
        case .taken: throw .taken
        case .notSupported: throw .notSupported
        }
    }

    /// Shows no work that begins from now on.
    ///
    /// What began before is shown until it ends, also for work in it that begins while this is off and is still there when it
    /// is turned on again.
    public static func turnOff() { ThreadContext.turnOff() }

    /// Returns the pseudonym of an identity, 16 hexadecimal digits; `nil` for nobody.
    ///
    /// It is random, so that it means nothing outside this process, and stays as long as any value of the identity lives.
    ///
    /// - Parameter identity: The identity; its spelling does not matter, nor does who acts for it.
    /// - Returns: The pseudonym.
    public static func pseudonym(of identity: Identity) -> String? { ThreadContext.pseudonym(of: identity) }

    /// Returns the identity behind a pseudonym of this process.
    ///
    /// - Parameter pseudonym: The value of `user.hash` in a profile.
    /// - Returns: The identity; `nil` if there is none, or if it and 4,096 others have had no values since.
    public static func identity(of pseudonym: String) -> Identity? { ThreadContext.identity(of: pseudonym) }
}

/// The reason why profilers cannot be shown whose work threads run.
public struct IdentityThreadContextError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<IdentityThreadContextError>

    /// The failure in words: what is wrong, and what to do.
    public let message: String

    static let notLinked = IdentityThreadContextError(
        code: .notLinked,
        message:
            "Profilers would not find the records: let the program depend on the product MultiIdentityThreadContext."
    )
    static let taken = IdentityThreadContextError(
        code: .taken,
        message: """
            Something else in this process, such as another OpenTelemetry library, has published a process context, of which \
            there is one: turn that off, or leave this off.
            """
    )
    static let notSupported = IdentityThreadContextError(
        code: .notSupported,
        message: "This system cannot publish a process context: it takes Linux, with memfd_create or named memory."
    )
}

extension ErrorCode where Failure == IdentityThreadContextError {
    /// The program does not depend on the product with the records' symbol.
    public static var notLinked: Self { Self() }
    /// Another library in the process has published a process context.
    public static var taken: Self { Self() }
    /// The system cannot publish a process context.
    public static var notSupported: Self { Self() }
}
