internal import MultiIdentity
import MultiIdentityFiles

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

    static let unset = WipeError(.unset, "No identity was given to wipe. Name the account whose data is to go.")

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
        do throws(SystemCallError) { return try body() } catch { throw WipeError(error) }
    }
}
