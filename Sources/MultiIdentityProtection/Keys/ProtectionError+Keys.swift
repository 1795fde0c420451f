import MultiIdentity

extension ProtectionError {
    init(_ owner: RevokedOwner) {
        self.init(
            .revoked,
            "\(owner.identity) \(owner.why): no data are protected for it, and it gets no key; \(owner.remedy)."
        )
    }

    static func unknown(_ id: IdentityKeyID, of identity: Identity) -> ProtectionError {
        ProtectionError(
            .unknownKey,
            "\(identity) has no key \(id); the data were protected with other keys, or the key ID was altered. Check the key source."
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
            "The key \(id) of \(owner) is not the one that protected the data. Check the source of the keys "
                + "(or the header was altered)."
        )
    }

    static func noMasterKey(_ source: String, _ reason: String) -> ProtectionError {
        ProtectionError(
            .invalidKey,
            "\(source) is not a master key: \(reason). A master key is 32 random bytes, as 44 characters of base64 or 64 "
                + "hexadecimal digits; `openssl rand -base64 32` creates one."
        )
    }

    static func wrongMasterKey(_ path: String) -> ProtectionError {
        ProtectionError(
            .wrongMasterKey,
            "\(path) was written under another master key, or its beginning was altered. Check the source of the master "
                + "key, and whether it was rotated."
        )
    }

    static func unsafe(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(.unsafeFile, "\(path) \(reason). Keys are read only from a file that no other user can access.")
    }

    static func damaged(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(
            .damaged,
            "\(path) is damaged: \(reason). Nothing has changed; restore the last intact copy."
        )
    }

    static func rolledBack(_ path: String, _ reason: String) -> ProtectionError {
        ProtectionError(
            .rolledBack,
            "\(path) \(reason). Keys created since may be missing, and keys destroyed since may be back. Restore the latest "
                + "file, restart, and find out who replaced it."
        )
    }
}
