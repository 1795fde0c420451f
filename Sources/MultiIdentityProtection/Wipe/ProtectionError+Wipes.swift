import MultiIdentity

extension ProtectionError {
    static let noIdentity = ProtectionError(.nobody, "No identity was given to wipe. Name the account to wipe.")

    static let wipesNobody = ProtectionError(
        .nobody,
        "Nobody cannot be wiped: it stands for what belongs to no account. Name an account."
    )

    static func notManaged(_ identity: Identity) -> ProtectionError {
        ProtectionError(
            .notManaged,
            "\(identity) is not managed and has no keys, and no wipe of it has begun: it is not wiped. Check the name."
        )
    }

    static func isOtherName(_ identity: Identity, of account: Identity) -> ProtectionError {
        ProtectionError(.notManaged, "\(identity) is another name of \(account): it is not wiped. Wipe \(account).")
    }

    static func notManaged(_ identity: Identity, since error: ProtectionError) -> ProtectionError {
        ProtectionError(
            .notManaged,
            "\(identity) is not managed, and whether it has keys cannot be found out: \(error.message) Fix that first."
        )
    }

    static func wouldDeadlock(_ identity: Identity) -> ProtectionError {
        ProtectionError(
            .wouldDeadlock,
            "The handler of the wipe of \(identity) waits for that wipe, which waits for the handler. Return from it first."
        )
    }

    static func stoppedWaiting(_ identity: Identity) -> ProtectionError {
        ProtectionError(
            .stoppedWaiting,
            "The task that asked for the wipe of \(identity) was cancelled. The wipe goes on; ask again to wait for it."
        )
    }

    static func noReport(_ identity: Identity) -> ProtectionError {
        ProtectionError(
            .notFound,
            "No report of a complete wipe of \(identity) is kept. Ask for the status of all wipes."
        )
    }
}
