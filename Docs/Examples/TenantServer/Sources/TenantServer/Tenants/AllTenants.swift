import MultiIdentity
import MultiIdentityPolicy

/// Whoever has a name is a tenant, and managed: who comes here has a token of an authority that knows its users.
struct AllTenants: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
