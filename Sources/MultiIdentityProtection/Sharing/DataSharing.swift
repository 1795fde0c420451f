public import MultiIdentity
import MultiIdentityFiles
public import MultiIdentityPolicy

/// Shares data and files of one identity with the space of another; they stay their owner's.
///
/// Policies are asked on both ways: when something is given away, and again before the first byte of it is written at its
/// receiver's. Of a managed owner an encrypted copy goes out, and on the way in it is opened for that owner.
///
/// ```swift
/// let sharing = DataSharing(protection: protection, accounts: accounts)
/// try sharing.share("may.txt", in: files, with: bob, as: "for-bob", in: outbox)
/// let owner = try sharing.receive("for-bob", in: outbox, for: bob, as: "from-ada.txt", in: files)  // ada's, still
/// ```
///
/// Both ends have the same keys: it is for the processes of one machine, or of one key service.
public struct DataSharing: Sendable {
    let protection: DataProtection
    let accounts: Accounts

    /// The sharing of data between the spaces of these accounts.
    ///
    /// - Parameters:
    ///   - protection: Encrypts what goes out, and opens what comes in.
    ///   - accounts: The accounts with the policies that are asked.
    public init(protection: DataProtection, accounts: Accounts) {
        self.protection = protection
        self.accounts = accounts
    }

    /// Gives data away: in protected form, so that they name their owner wherever they go.
    ///
    /// - Parameters:
    ///   - bytes: The data, as they are.
    ///   - owner: The owner of the data; nobody for what is nobody's.
    ///   - receiver: The identity of the space that they are for.
    /// - Returns: What to hand over. `DataProtection.protectionInfo(_:)` tells its owner.
    /// - Throws: ``ProtectionError``, with `.refused` where a policy does not allow it.
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

    /// Takes data in: tells their owner, and opens them for it.
    ///
    /// Data that name no owner are nobody's. What only claims an owner is believed where that is not managed, as by
    /// `DataProtection`.
    ///
    /// - Parameters:
    ///   - item: What was handed over.
    ///   - receiver: The identity of the space that it comes into.
    /// - Returns: The owner, nobody where the data name none, and the data: switch the UI to the owner before they are shown, bind it before they are stored.
    /// - Throws: ``ProtectionError``, with `.refused` where a policy does not allow it; nothing was decrypted then.
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

    /// Asks the policies of both.
    func admit(_ owner: Identity?, _ receiver: Identity) throws(ProtectionError) {
        let decision = accounts.decide(.share(with: receiver), for: owner)
        if !decision.isAllowed { throw ProtectionError(decision) }
    }

    func record(_ kind: AuditEvent.Kind, _ owner: Identity?, _ what: String) {
        accounts.audit?.record(AuditEvent(kind, of: owner, because: what))
    }
}
