#if OpenBao
public import AsyncHTTPClient
import Crypto
import Foundation
public import MultiIdentity
public import MultiIdentityProtection
import Synchronization

/// Keys of identities from OpenBao's transit engine, which are in no file of this machine.
///
/// ```swift
/// let keys = OpenBaoKeys(OpenBaoKeys.Settings(address: "https://bao.internal:8200") { try readToken() })
/// let protection = DataProtection(keys: keys, accounts: accounts)
/// ```
///
/// Each identity has a key there, under a hash of its name. Each version of it gives a key here: two HMACs, one for the secret
/// and one for the id, so that nothing has to be stored and the key itself never leaves the service. A key destroyed there is
/// destroyed for every machine and for every backup of data; only a backup of the service itself has it.
///
/// Calls block, each for at most ``Settings/limit``. Keys are cached for ``Settings/remembered``; in that time another machine
/// may continue to use a destroyed key.
public final class OpenBaoKeys: IdentityKeyProvider {
    /// The keys of one identity, the current one last.
    private struct Known {
        let keys: [IdentityKey]
        let until: ContinuousClock.Instant
    }

    private let engine: TransitEngine
    private let remembered: Duration
    private let known = Mutex<[Identity: Known]>([:])
    /// Locked to make and to destroy keys: admission is checked inside, so that no new key follows the end of a wipe.
    private let changing = Mutex(())

    /// Creates a provider with the keys of a service.
    ///
    /// - Parameters:
    ///   - settings: The service's address and access.
    ///   - client: The client; by default one per process that follows no redirect.
    public init(_ settings: Settings, client: HTTPClient? = nil) {
        engine = TransitEngine(settings: settings, client: client ?? TransitEngine.client)
        remembered = settings.remembered
    }

    /// Returns the key that protects an identity's new data; makes one in the service if there is none.
    public func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey {
        try admit(identity)
        if let key = try keys(of: identity)?.last { return key }
        return try changing.withLock { (_) throws(ProtectionError) -> IdentityKey in
            try admit(identity)
            try engine.make(Self.name(of: identity))
            guard let key = try load(identity)?.last else { throw Self.unavailable("has lost a key that it made") }
            return key
        }
    }

    /// Returns the key that protects existing data.
    public func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey {
        try check(identity)
        if let key = try keys(of: identity)?.first(where: { $0.id == id }) { return key }
        // Another machine may have rotated it.
        guard let keys = try load(identity) else {
            throw ProtectionError(
                .destroyedKey,
                "The key \(id) of \(identity) is no longer in the service; the data that it protects are lost."
            )
        }
        guard let key = keys.first(where: { $0.id == id }) else {
            throw ProtectionError(
                .unknownKey,
                "The service has no key \(id) of \(identity): it was destroyed, or the data name another key."
            )
        }
        return key
    }

    /// Returns whether an identity has keys in the service.
    public func hasKeys(of identity: Identity) throws(ProtectionError) -> Bool {
        try keyCount(of: identity) ?? 0 > 0
    }

    /// Returns the number of an identity's keys in the service, including earlier versions.
    public func keyCount(of identity: Identity) throws(ProtectionError) -> Int? {
        try check(identity)
        return try engine.versions(of: Self.name(of: identity))?.count ?? 0
    }

    /// Rotates the key, so that a new version protects new data.
    @discardableResult
    public func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID {
        try changing.withLock { (_) throws(ProtectionError) -> IdentityKeyID in
            try admit(identity)
            let name = Self.name(of: identity)
            // A missing key is made, and is new as well.
            if try engine.versions(of: name) == nil { try engine.make(name) } else { try engine.rotate(name) }
            guard let key = try load(identity)?.last else { throw Self.unavailable("has lost a key that it made") }
            return key.id
        }
    }

    /// Destroys all keys of an identity, in the service and here.
    public func destroyKeys(of identity: Identity) throws(ProtectionError) {
        try check(identity)
        try changing.withLock { (_) throws(ProtectionError) in
            known.withLock { $0[identity] = nil }
            try engine.destroy(Self.name(of: identity))
            guard try engine.versions(of: Self.name(of: identity)) == nil else {
                throw Self.unavailable("still has a key that it was to destroy")
            }
        }
    }

    private func keys(of identity: Identity) throws(ProtectionError) -> [IdentityKey]? {
        if let found = known.withLock({ $0[identity] }), ContinuousClock.now < found.until { return found.keys }
        return try load(identity)
    }

    /// Loads all keys of an identity from the service; `nil` if it has none.
    private func load(_ identity: Identity) throws(ProtectionError) -> [IdentityKey]? {
        let until = ContinuousClock.now + remembered
        let name = Self.name(of: identity)
        guard let versions = try engine.versions(of: name) else {
            known.withLock { $0[identity] = nil }
            return nil
        }
        var keys: [IdentityKey] = []
        for version in versions {
            // Destroyed meanwhile: as if it had never existed.
            guard let (secret, id) = try engine.codes(of: name, version: version) else { return nil }
            guard let id = IdentityKeyID(bytes: id.prefix(IdentityKeyID.length)) else {
                throw Self.unavailable("returned a code of the wrong length")
            }
            keys.append(try IdentityKey(id: id, secret: secret))
        }
        known.withLock { [keys] in $0[identity] = Known(keys: keys, until: until) }
        return keys
    }

    private func check(_ identity: Identity) throws(ProtectionError) {
        if identity.isNobody { throw ProtectionError(.nobody, "Nobody has no keys. Ask for a named identity's.") }
    }

    private func admit(_ identity: Identity) throws(ProtectionError) {
        try check(identity)
        do { try IdentityRevocation.admit(identity) } catch {
            throw ProtectionError(.revoked, "\(error.message) It gets no key.")
        }
    }

    /// The name of a key in the service, which does not reveal its owner.
    static func name(of identity: Identity) -> String {
        let hash = SHA256.hash(data: Data(("multi-identity key of " + identity.caselessName).utf8))
        return "identity-" + hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    static func unavailable(_ what: String) -> ProtectionError {
        ProtectionError(
            .keyUnavailable,
            "The key service \(what). Check that it runs, is unsealed, and grants this program access."
        )
    }
}

extension OpenBaoKeys {
    /// The service's address, and this program's access.
    public struct Settings: Sendable {
        /// The address, such as `https://bao.internal:8200`.
        public var address: String
        /// The path at which the transit engine is mounted.
        public var mount = "transit"
        /// The longest time that a request may take.
        public var limit = Duration.seconds(10)
        /// The time for which keys are cached.
        public var remembered = Duration.seconds(60)
        /// Returns this program's token for each request, so that it can be renewed.
        public var token: @Sendable () throws -> String

        /// Creates settings for a service.
        ///
        /// - Parameters:
        ///   - address: The address.
        ///   - token: Returns this program's token.
        public init(address: String, token: @escaping @Sendable () throws -> String) {
            self.address = address
            self.token = token
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"OpenBao\"])")
#endif
