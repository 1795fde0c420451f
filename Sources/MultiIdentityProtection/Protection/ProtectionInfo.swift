public import MultiIdentity

/// The information in the header of protected data.
///
/// Nothing in it is proved before the data are unprotected: anyone can write a header.
public struct ProtectionInfo: Hashable, Sendable {
    /// The form of protected data.
    public enum Form: Hashable, Sendable {
        /// Encrypted, with the key of this ID.
        case encrypted(with: IdentityKeyID)
        /// Not encrypted; a header claims an owner.
        case claimed
    }

    /// The owner named in the header, spelled as when the data were protected.
    public let owner: Identity

    /// The form of the data.
    public let form: Form
}

extension DataProtection {
    /// Returns the information in the header of protected data; `nil` for data that were never protected.
    ///
    /// It needs no key, so the owner can be read even after the key was destroyed. It proves nothing.
    ///
    /// - Parameter bytes: The data, or at least their first 1,200 bytes.
    /// - Returns: The owner named in the header, and how the data are protected.
    /// - Throws: ``ProtectionError`` if the header is invalid or truncated, or if plain data claim to be a managed
    ///   identity's.
    public func protectionInfo(_ bytes: [UInt8]) throws(ProtectionError) -> ProtectionInfo? {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(ProtectionError) in
            switch try ProtectionHeader.start(of: bytes) {
            case .foreign, .unfinished(isOurs: false): return nil
            case .unfinished(isOurs: true): throw .cutOff
            case .header(let header, _):
                guard let encryption = header.encryption else {
                    try admitClaim(of: header.owner, expecting: nil)
                    return ProtectionInfo(owner: header.owner, form: .claimed)
                }
                return ProtectionInfo(owner: owner(of: header), form: .encrypted(with: encryption.keyID))
            }
        }
    }
}
