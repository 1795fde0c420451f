#if OpenBao
public import AsyncHTTPClient
import Crypto
import Foundation
public import MultiIdentity
public import MultiIdentityProtection
import Synchronization

/// Keys of identities from OpenBao's transit engine, which no file of this machine has.
///
/// ```swift
/// let keys = OpenBaoKeys(OpenBaoKeys.Settings(address: "https://bao.internal:8200") { try readToken() })
/// let protection = DataProtection(keys: keys, accounts: accounts)
/// ```
///
/// Each identity has a key there, under a hash of its name. A version of it gives a key here: two HMACs by it, one of which is the secret and one
/// the id, so that nothing has to be kept and the key itself never leaves the service. Destroyed there, it is so for every machine
/// and in every backup of data; only a backup of the service itself has it.
///
/// Calls block, for ``Settings/limit`` at most each; keys are remembered for ``Settings/remembered``, in which another machine may go on with
/// one that was destroyed.
public final class OpenBaoKeys: IdentityKeyProvider {
    /// The keys of one identity, the current one last.
    private struct Known {
        let keys: [IdentityKey]
        let until: ContinuousClock.Instant
    }

    private let engine: TransitEngine
    private let remembered: Duration
    private let known = Mutex<[Identity: Known]>([:])
    /// Taken by who makes keys and who destroys them: admission is asked inside, so that a wipe's end is not followed by a new key.
    private let changing = Mutex(())

    /// Keys of a service.
    ///
    /// - Parameters:
    ///   - settings: Where it is, and how it lets this program in.
    ///   - client: The way to it; at first one of the process's own that follows no redirect.
    public init(_ settings: Settings, client: HTTPClient? = nil) {
        engine = TransitEngine(settings: settings, client: client ?? TransitEngine.client)
        remembered = settings.remembered
    }

    /// The key to protect an identity's data with, made in the service if there is none.
    public func currentKey(for identity: Identity) throws(ProtectionError) -> IdentityKey {
        try admit(identity)
        if let key = try keys(of: identity)?.last { return key }
        return try changing.withLock { (_) throws(ProtectionError) -> IdentityKey in
            try admit(identity)
            try engine.make(Self.name(of: identity))
            guard let key = try load(identity)?.last else { throw Self.unavailable("has not kept a key that it made") }
            return key
        }
    }

    /// The key that data were protected with.
    public func key(_ id: IdentityKeyID, of identity: Identity) throws(ProtectionError) -> IdentityKey {
        try check(identity)
        if let key = try keys(of: identity)?.first(where: { $0.id == id }) { return key }
        // Rotated by another machine, perhaps.
        guard let keys = try load(identity) else {
            throw ProtectionError(
                .destroyedKey,
                "The key \(id) of \(identity) is in the service no more; what it protects is lost for good."
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

    /// Returns the number of keys that an identity has in the service, those before a rotation included.
    public func keyCount(of identity: Identity) throws(ProtectionError) -> Int? {
        try check(identity)
        return try engine.versions(of: Self.name(of: identity))?.count ?? 0
    }

    /// Has new data protected with a new version of the key.
    @discardableResult
    public func rotateKey(of identity: Identity) throws(ProtectionError) -> IdentityKeyID {
        try changing.withLock { (_) throws(ProtectionError) -> IdentityKeyID in
            try admit(identity)
            let name = Self.name(of: identity)
            // One that is not there is made, and is new as well.
            if try engine.versions(of: name) == nil { try engine.make(name) } else { try engine.rotate(name) }
            guard let key = try load(identity)?.last else { throw Self.unavailable("has not kept a key that it made") }
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

    /// Asks the service for all keys of an identity; `nil` where it has none.
    private func load(_ identity: Identity) throws(ProtectionError) -> [IdentityKey]? {
        let until = ContinuousClock.now + remembered
        let name = Self.name(of: identity)
        guard let versions = try engine.versions(of: name) else {
            known.withLock { $0[identity] = nil }
            return nil
        }
        var keys: [IdentityKey] = []
        for version in versions {
            // Gone in between: as if it had not been there.
            guard let (secret, id) = try engine.codes(of: name, version: version) else { return nil }
            guard let id = IdentityKeyID(bytes: id.prefix(IdentityKeyID.length)) else {
                throw Self.unavailable("gave a code of another length")
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

    /// The name of a key in the service, which tells nobody its owner.
    static func name(of identity: Identity) -> String {
        let hash = SHA256.hash(data: Data(("multi-identity key of " + identity.caselessName).utf8))
        return "identity-" + hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    static func unavailable(_ what: String) -> ProtectionError {
        ProtectionError(
            .keyUnavailable,
            "The key service \(what). See that it runs, is unsealed, and lets this program in."
        )
    }
}

extension OpenBaoKeys {
    /// The place of the service, and how it lets this program in.
    public struct Settings: Sendable {
        /// The address, as `https://bao.internal:8200`.
        public var address: String
        /// The path at which the transit engine is mounted.
        public var mount = "transit"
        /// The longest time that a request may take.
        public var limit = Duration.seconds(10)
        /// The time for which keys are remembered here.
        public var remembered = Duration.seconds(60)
        /// The token of this program, read for each request: who renews it says the new one.
        public var token: @Sendable () throws -> String

        /// A service at an address.
        ///
        /// - Parameters:
        ///   - address: The address.
        ///   - token: The token of this program.
        public init(address: String, token: @escaping @Sendable () throws -> String) {
            self.address = address
            self.token = token
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"OpenBao\"])")
#endif
