import MultiIdentity

extension ProtectionError {
    static let noIdentity = ProtectionError(.nobody, "No identity was given. Name the account to wipe.")

    static let wipesNobody = ProtectionError(
        .nobody,
        "Nobody cannot be wiped: it means data that belong to no account. Name an account."
    )

    static func notManaged(_ identity: Identity) -> ProtectionError {
        ProtectionError(
            .notManaged,
            "\(identity) cannot be wiped: it is not managed, has no keys, and no wipe of it has begun. Check the name."
        )
    }

    static func isOtherName(_ identity: Identity, of account: Identity) -> ProtectionError {
        ProtectionError(.notManaged, "\(identity) is an alias of \(account) and cannot be wiped. Wipe \(account).")
    }

    static func notManaged(_ identity: Identity, since error: ProtectionError) -> ProtectionError {
        ProtectionError(
            .notManaged,
            "\(identity) is not managed, and the key provider cannot say whether it has keys: \(error.message) Fix that first."
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
            "The task that requested the wipe of \(identity) was cancelled. The wipe continues; call again to wait for it."
        )
    }

    static func noReport(_ identity: Identity) -> ProtectionError {
        ProtectionError(
            .notFound,
            "There is no report of a complete wipe of \(identity). Check status() for all wipes."
        )
    }
}
