import MultiIdentity
import MultiIdentityPolicy

/// Every name is a tenant, and managed: each has a token of an authority that knows its users.
struct AllTenants: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
