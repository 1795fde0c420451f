public import MultiIdentity
import MultiIdentityFiles

/// A wipe was refused, or could not begin: what was wrong, with which value, and what to do.
///
/// Nothing was removed then.
public struct WipeError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<WipeError>

    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == WipeError {
    /// No identity was given.
    public static var unset: Self { Self() }
    /// Nobody owns what belongs to no account, and cannot be wiped.
    public static var nobody: Self { Self() }
    /// The identity is not managed, was not signed out, has no keys, and no wipe of it has begun.
    public static var notManaged: Self { Self() }
    /// Another process, or another ``IdentityWipe``, has the identity's journal open.
    public static var inUse: Self { Self() }
    /// The wipe's own handler asked for it, and would wait for itself.
    public static var ofItself: Self { Self() }
    /// The asking task was cancelled; the wipe goes on.
    public static var stoppedWaiting: Self { Self() }
    /// The folder of journals is one that others can use, or own, or is none.
    public static var unsafeFolder: Self { Self() }
    /// The identity's journal may not be used: others can write it, or a later version wrote it.
    public static var unusableJournal: Self { Self() }
    /// No report of a complete wipe is kept.
    public static var noReport: Self { Self() }
    /// The disk is full, and the journal cannot be begun.
    public static var noSpace: Self { Self() }
    /// The system refused a call; the message names it.
    public static var systemCall: Self { Self() }
    /// The cryptographic library failed, by which journals are named.
    public static var cryptographyFailed: Self { Self() }
}

extension WipeError {
    init(_ error: SystemCallError) {
        if error.isNoSpace {
            self.init(.noSpace, "\(error). Nothing was removed; make room for the journal, and wipe again.")
        } else {
            self.init(.systemCall, "\(error).")
        }
    }

    init(_ error: RecordLogError) {
        if let cause = error.systemError {
            self.init(cause)
        } else if error.code == .inUse {
            self.init(.inUse, "\(error.message) It is being wiped there.")
        } else {
            self.init(.unusableJournal, error.message)
        }
    }

    static let unset = WipeError(.unset, "No identity was given to wipe. Name the account to wipe.")

    static let nobody = WipeError(
        .nobody,
        "Nobody cannot be wiped: it stands for what belongs to no account. Name an account."
    )

    static func notManaged(_ identity: Identity) -> WipeError {
        WipeError(
            .notManaged,
            "\(identity) is not managed and has no keys, and no wipe of it has begun: it is not wiped. Check the name."
        )
    }

    static func isOtherName(_ identity: Identity, of account: Identity) -> WipeError {
        WipeError(.notManaged, "\(identity) is another name of \(account): it is not wiped. Wipe \(account).")
    }

    static func notManaged(_ identity: Identity, since error: IdentityKeyError) -> WipeError {
        WipeError(
            .notManaged,
            "\(identity) is not managed, and whether it has keys cannot be found out: \(error.message) Mend that first."
        )
    }

    static func ofItself(_ identity: Identity) -> WipeError {
        WipeError(
            .ofItself,
            "The handler of the wipe of \(identity) waits for that wipe, which waits for the handler. Return from it first."
        )
    }

    static func stoppedWaiting(_ identity: Identity) -> WipeError {
        WipeError(
            .stoppedWaiting,
            "The task that asked for the wipe of \(identity) was cancelled. The wipe goes on; ask again to wait for it."
        )
    }

    static func noReport(_ identity: Identity) -> WipeError {
        WipeError(.noReport, "No report of a complete wipe of \(identity) is kept. Ask for the status of all wipes.")
    }

    /// Returns what a body that makes system calls returns, its errors as ours.
    static func from<Value: ~Copyable>(
        _ body: () throws(SystemCallError) -> Value
    ) throws(WipeError) -> Value {
        do { return try body() } catch { throw WipeError(error) }
    }
}
