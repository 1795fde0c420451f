import MultiIdentity
import MultiIdentityPolicy

/// Without policies, every identity that has a name is managed.
struct EverybodyManaged: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
