import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection

/// Reads what the header of data says, as if no identity were managed.
enum HeaderReading {
    /// - Returns: `nil` for data that were never protected.
    /// - Throws: `DataProtectionError` where the header is none.
    static func info(_ start: [UInt8]) throws -> ProtectionInfo? {
        try DataProtection(keys: NoKeys(), accounts: NobodyManaged()).protectionInfo(start)
    }

    private struct NobodyManaged: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { false }
    }
}

extension ProtectionInfo.Form {
    /// As reports call it.
    var name: String {
        switch self {
        case .encrypted: "encrypted"
        case .claimed: "claimed"
        }
    }

    /// The id of the key, if there is one.
    var keyName: String? {
        if case .encrypted(let id) = self { "\(id)" } else { nil }
    }
}
