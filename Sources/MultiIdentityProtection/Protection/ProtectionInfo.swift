public import MultiIdentity

/// The information in the header of protected data.
///
/// Nothing of it is proved before the data are unprotected: anybody can write a header.
public struct ProtectionInfo: Hashable, Sendable {
    /// The form in which data are protected.
    public enum Form: Hashable, Sendable {
        /// Encrypted, with the key of this id.
        case encrypted(with: IdentityKeyID)
        /// Plain, behind a header that claims an owner.
        case claimed
    }

    /// The owner that the data name, in the spelling that they were protected under.
    public let owner: Identity

    /// The form in which they are protected.
    public let form: Form
}

extension DataProtection {
    /// Tells what protected data say about themselves, or `nil` for data that were never protected.
    ///
    /// It needs no key, so that the owner of data can be read after their key was destroyed too, and proves nothing.
    ///
    /// - Parameter bytes: The data, or the first 1,200 bytes of them, as of a file.
    /// - Returns: The owner that the data name, and how they are protected.
    /// - Throws: ``ProtectionError`` where the header is none, is cut off, or plain data claim to be a managed
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
