public import MultiIdentity

/// Says which identities are managed: policies apply to them, their data is encrypted, and they can be wiped.
///
/// ``Accounts`` is one; a program that keeps its accounts elsewhere writes its own.
public protocol ManagedIdentities: Sendable {
    /// Returns whether an identity is managed now; nobody never is.
    func isManaged(_ identity: Identity) -> Bool
}
