public import MultiIdentity

/// Says which identities are managed: policies apply to them, their data is encrypted, and they can be wiped.
///
/// ``Accounts`` is one; a program that keeps its accounts elsewhere writes its own.
public protocol ManagedIdentities: Sendable {
    /// Returns whether an identity is managed now; nobody never is.
    func isManaged(_ identity: Identity) -> Bool

    /// The receiver of what an auditor asks about; `nil` for none.
    var audit: (any AuditSink)? { get }
}

extension ManagedIdentities {
    /// None.
    public var audit: (any AuditSink)? { nil }
}
