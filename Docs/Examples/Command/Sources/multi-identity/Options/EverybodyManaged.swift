import MultiIdentity
import MultiIdentityPolicy

/// Without policies, whoever has a name is managed.
struct EverybodyManaged: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
