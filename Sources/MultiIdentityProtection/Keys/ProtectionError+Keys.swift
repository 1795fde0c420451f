import MultiIdentity

extension ProtectionError {
    init(_ owner: RevokedOwner) {
        self.init(
            .revoked,
            "\(owner.identity) \(owner.why): nothing is protected for it, and it gets no key; \(owner.remedy)."
        )
    }

    static func unknown(_ id: IdentityKeyID, of identity: Identity) -> ProtectionError {
        ProtectionError(
            .unknownKey,
            "There is no key \(id) of \(identity); the data were protected with other keys, or the key's id was altered."
        )
    }

    static func destroyed(_ id: IdentityKeyID, of identity: Identity) -> ProtectionError {
        ProtectionError(
            .destroyedKey,
            "The key \(id) was destroyed, and the data of \(identity) that it protects are lost for good."
        )
    }

    static func wrongKey(_ id: IdentityKeyID, of owner: Identity) -> ProtectionError {
        ProtectionError(
            .wrongKey,
            "The key \(id) of \(owner) is not the one that the data were protected with; look at where the keys come from "
                + "(or the header was altered)."
        )
    }

    static func noMasterKey(_ source: String, _ reason: String) -> ProtectionError {
        ProtectionError(
            .invalidKey,
            "\(source) is no master key: \(reason). A master key is 32 random bytes, as 44 characters of base64 or 64 "
                + "hexadecimal digits; `openssl rand -base64 32` makes one."
        )
    }

    static func wrongMasterKey(_ path: String) -> ProtectionError {
        ProtectionError(
            .wrongMasterKey,
            "\(path) was written under another master key, or its start was altered; look at where the master key comes "
                + "from, and whether it was rotated."
        )
    }

    static func unsafe(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(.unsafeFile, "\(path) \(reason). Keys are read only from a file that this user alone can use.")
    }

    static func damaged(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(
            .damaged,
            "\(path) is not what was written: \(reason). Nothing was changed; bring back the last copy that is whole."
        )
    }

    static func rolledBack(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(
            .rolledBack,
            "\(path) \(reason). Keys that were made or destroyed since may be missing or back: find out who did that, and "
                + "restart once it is as it should be."
        )
    }
}
