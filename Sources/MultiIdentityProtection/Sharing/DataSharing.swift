public import MultiIdentity
import MultiIdentityFiles
public import MultiIdentityPolicy

/// Shares data and files of one identity with the space of another; the owner stays the same.
///
/// Policies are asked on both sides: when something is shared, and before the receiver's first byte is written. Data of
/// a managed owner travel encrypted, and are decrypted for that owner when they are received.
///
/// ```swift
/// let sharing = DataSharing(protection: protection, accounts: accounts)
/// try sharing.share("may.txt", in: files, with: bob, as: "for-bob", in: outbox)
/// let owner = try sharing.receive("for-bob", in: outbox, for: bob, as: "from-ada.txt", in: files)  // ada's, still
/// ```
///
/// Both sides need the same keys: the processes of one machine, or of one key service.
public struct DataSharing: Sendable {
    let protection: DataProtection
    let accounts: Accounts

    /// Creates a sharing between the spaces of accounts.
    ///
    /// - Parameters:
    ///   - protection: Encrypts what is shared, and decrypts what is received.
    ///   - accounts: The accounts whose policies are asked.
    public init(protection: DataProtection, accounts: Accounts) {
        self.protection = protection
        self.accounts = accounts
    }

    /// Returns data in protected form, which names their owner, to share with another identity.
    ///
    /// - Parameters:
    ///   - bytes: The data, not protected.
    ///   - owner: The owner of the data; may be nobody.
    ///   - receiver: The identity whose space receives them.
    /// - Returns: The data to hand over; `DataProtection.protectionInfo(_:)` returns their owner.
    /// - Throws: ``ProtectionError``; with `.refused` if a policy refuses.
    /// - Complexity: O(*n*).
    public func share(
        _ bytes: [UInt8],
        of owner: Identity,
        with receiver: Identity
    ) throws(ProtectionError) -> [UInt8] {
        try admit(owner, receiver)
        let item = try protection.protect(bytes, for: owner)
        record(.shared, owner, "\(bytes.count) bytes with \(receiver)")
        return item
    }

    /// Receives shared data: returns their owner, and the original bytes.
    ///
    /// Data without an owner belong to nobody. A claimed owner is accepted only if it is not managed, as in
    /// `DataProtection`.
    ///
    /// - Parameters:
    ///   - item: The shared data.
    ///   - receiver: The identity whose space receives them.
    /// - Returns: The owner, which is nobody if the data name none, and the bytes. Switch the UI to the owner before
    ///   you show them, and bind it before you store them.
    /// - Throws: ``ProtectionError``; with `.refused` if a policy refuses, before anything is decrypted.
    /// - Complexity: O(*n*).
    public func receive(
        _ item: [UInt8],
        for receiver: Identity
    ) throws(ProtectionError) -> (owner: Identity, bytes: [UInt8]) {
        let info = try protection.protectionInfo(item)
        let owner = info?.owner ?? .nobody
        try admit(owner, receiver)
        let bytes =
            switch info?.form {
            case .encrypted: try protection.unprotect(item, expecting: owner)
            case .claimed, nil: try protection.unprotectIfProtected(item)
            }
        record(.received, owner, "\(bytes.count) bytes for \(receiver)")
        return (owner, bytes)
    }

    /// Throws unless the policies of both sides allow it.
    func admit(_ owner: Identity?, _ receiver: Identity) throws(ProtectionError) {
        let decision = accounts.decide(.share(with: receiver), for: owner)
        if !decision.isAllowed { throw ProtectionError(decision) }
    }

    func record(_ kind: AuditEvent.Kind, _ owner: Identity?, _ what: String) {
        accounts.audit?.record(AuditEvent(kind, of: owner, because: what))
    }
}
