import MultiIdentity

/// The state of ``Accounts`` at one moment; each question is answered from a single view.
struct AccountsView: Sendable {
    let mode: AccountsMode
    let withoutOwner: UnownedWork
    let policies: PolicySet
    let enrolled: Set<Identity>
    /// The accounts that a registry has, and that are not enrolled.
    let registered: Set<Identity>
    /// The accounts whose service has been silent for too long.
    let blocked: Set<Identity>
    /// Indicates whether each registry has read its accounts.
    let isRead: Bool

    func isManaged(_ identity: Identity) -> Bool {
        if case .unmanaged = standing(of: identity) { false } else { true }
    }

    /// The policy of an identity; `nil` for none, for nobody, and for one that is not managed.
    func policy(of identity: Identity?) -> Policy? {
        guard let identity else { return nil }
        return switch standing(of: identity) {
        case .unmanaged: nil
        case .managed(let policy): policy
        case .withoutPolicy: .nothing
        }
    }
}
