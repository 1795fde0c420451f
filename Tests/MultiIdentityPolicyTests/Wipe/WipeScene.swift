import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// Two storages, keys and journals in one folder, so that a test can watch a wipe, and another process can continue it.
final class WipeScene: ManagedIdentities {
    let path: String
    let documents: PlainStorage
    let caches: PlainStorage
    let keys: KeysInFiles
    /// The accounts that left; all others at contoso.com are managed.
    let left = Locked<Set<Identity>>([])
    /// The completed steps, in order.
    let events = Locked<[String]>([])

    init(_ path: String, stubborn: Set<String> = [], beforeEach: @escaping @Sendable () -> Void = {}) throws {
        self.path = path
        documents = try PlainStorage(path + "/documents", stubborn: stubborn, beforeEach: beforeEach)
        caches = try PlainStorage(path + "/caches")
        keys = try KeysInFiles(path + "/keys")
    }

    var journals: String { path + "/wipes" }

    func isManaged(_ identity: Identity) -> Bool {
        identity.name.hasSuffix("@contoso.com") && !left.withLock { $0.contains(identity) }
    }

    func note(_ event: String) { events.withLock { $0.append(event) } }

    /// Returns an account that no other test uses, with files and a key.
    func account(_ name: String = UUID().uuidString) -> Identity {
        let identity = Users.named(name + "@contoso.com")
        fill(identity)
        return identity
    }

    func fill(_ identity: Identity) {
        documents.add(3, of: identity)
        caches.add(2, of: identity, bytes: 5)
        keys.make(for: identity)
    }

    /// Returns a wipe that does not yield by default, so that no test waits for others.
    func wipe(
        storages: [any WipedStorage]? = nil,
        hasKeys: Bool = true,
        drainTimeout: Duration = .seconds(60),
        yields: Bool = false,
        handler: @escaping IdentityWipe.Handler = { _ in .notRemoved }
    ) throws -> IdentityWipe {
        try IdentityWipe(
            journals: journals,
            accounts: self,
            storages: storages ?? [documents, caches],
            keys: hasKeys ? keys : nil,
            drainTimeout: drainTimeout,
            yields: yields,
            handler: handler
        )
    }

    func files(of identity: Identity) -> Int { (documents.names(of: identity) + caches.names(of: identity)).count }

    func isUntouched(_ identity: Identity) -> Bool { files(of: identity) == 5 && keys.has(identity) }

    func isGone(_ identity: Identity) -> Bool { files(of: identity) == 0 && !keys.has(identity) }

    var journalNames: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: journals)) ?? []).sorted() }
}
