public import MultiIdentity

/// Decides which identities are managed: policies apply to them, their data is encrypted, and they can be wiped.
///
/// ``Accounts`` conforms. A program that keeps its accounts elsewhere provides its own type.
public protocol ManagedIdentities: Sendable {
    /// Returns whether an identity is managed now; `false` for nobody.
    func isManaged(_ identity: Identity) -> Bool

    /// The receiver of audit events; `nil` for none.
    var audit: (any AuditSink)? { get }
}

extension ManagedIdentities {
    /// Returns `nil`: there is no receiver of audit events.
    public var audit: (any AuditSink)? { nil }
}
