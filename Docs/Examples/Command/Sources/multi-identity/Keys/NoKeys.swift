import MultiIdentity
import MultiIdentityProtection

/// No keys at all: for what reads headers and nothing else.
struct NoKeys: IdentityKeyProvider {
    private let none = IdentityKeyError(.unavailable, "A header is read without keys.")

    func hasKeys(of identity: Identity) -> Bool { false }
    func currentKey(for identity: Identity) throws(IdentityKeyError) -> IdentityKey { throw none }
    func key(_ id: IdentityKeyID, of identity: Identity) throws(IdentityKeyError) -> IdentityKey { throw none }
    func rotateKey(of identity: Identity) throws(IdentityKeyError) -> IdentityKeyID { throw none }
    func destroyKeys(of identity: Identity) throws(IdentityKeyError) { throw none }
}
