import MultiIdentity
import MultiIdentityProtection
import Synchronization

/// The file of keys, opened when the first key is asked for: what needs no key needs no file.
final class KeysWhenNeeded: IdentityKeyProvider {
    private let options: Mutex<KeyOptions>
    private let opened = Mutex<KeyFile?>(nil)

    init(_ options: KeyOptions) { self.options = Mutex(options) }

    func currentKey(for identity: Identity) throws(IdentityKeyError) -> IdentityKey {
        try file().currentKey(for: identity)
    }

    func key(_ id: IdentityKeyID, of identity: Identity) throws(IdentityKeyError) -> IdentityKey {
        try file().key(id, of: identity)
    }

    func hasKeys(of identity: Identity) throws(IdentityKeyError) -> Bool {
        // Without a file of keys nobody has any.
        if options.withLock({ !$0.areNamed }) { return false }
        return try file().hasKeys(of: identity)
    }

    func rotateKey(of identity: Identity) throws(IdentityKeyError) -> IdentityKeyID {
        try file().rotateKey(of: identity)
    }

    func destroyKeys(of identity: Identity) throws(IdentityKeyError) { try file().destroyKeys(of: identity) }

    private func file() throws(IdentityKeyError) -> KeyFile {
        let result = opened.withLock { opened -> Result<KeyFile, IdentityKeyError> in
            if let opened { return .success(opened) }
            do {
                let file = try options.withLock { try $0.keyFile() }
                opened = file
                return .success(file)
            } catch let error as IdentityKeyError {
                return .failure(error)
            } catch {
                return .failure(IdentityKeyError(.unavailable, CommandFailure(error).message))
            }
        }
        return try result.get()
    }
}

/// No keys at all: for what reads headers and nothing else.
struct NoKeys: IdentityKeyProvider {
    private let none = IdentityKeyError(.unavailable, "A header is read without keys.")

    func hasKeys(of identity: Identity) -> Bool { false }
    func currentKey(for identity: Identity) throws(IdentityKeyError) -> IdentityKey { throw none }
    func key(_ id: IdentityKeyID, of identity: Identity) throws(IdentityKeyError) -> IdentityKey { throw none }
    func rotateKey(of identity: Identity) throws(IdentityKeyError) -> IdentityKeyID { throw none }
    func destroyKeys(of identity: Identity) throws(IdentityKeyError) { throw none }
}
