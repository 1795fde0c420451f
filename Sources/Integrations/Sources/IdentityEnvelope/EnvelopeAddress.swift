#if Envelopes
import Crypto

/// The machine that an envelope is for: how it names itself, and its public key.
public struct EnvelopeAddress: Hashable, Sendable {
    /// The name that it has itself in the audience of claims.
    public let name: String
    /// Its public key: X25519, 32 bytes.
    public let publicKey: [UInt8]

    /// The address of a machine.
    ///
    /// - Parameters:
    ///   - name: How it names itself.
    ///   - publicKey: Its ``EnvelopeKey/publicKey``.
    /// - Throws: ``EnvelopeError`` with the code `.unusableKey`.
    public init(name: String, publicKey: [UInt8]) throws(EnvelopeError) {
        guard (try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)) != nil else {
            throw EnvelopeError(.unusableKey, "A public key has 32 bytes, and this one has \(publicKey.count).")
        }
        self.name = name
        self.publicKey = publicKey
    }
}

/// The private key of a machine that receives envelopes.
public struct EnvelopeKey: Sendable {
    let key: Curve25519.KeyAgreement.PrivateKey

    /// A new key.
    public init() { key = Curve25519.KeyAgreement.PrivateKey() }

    /// The key with these bytes.
    ///
    /// - Parameter bytes: 32 bytes, which are kept as a secret.
    /// - Throws: ``EnvelopeError`` with the code `.unusableKey`.
    public init(bytes: [UInt8]) throws(EnvelopeError) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else {
            throw EnvelopeError(.unusableKey, "A private key has 32 bytes, and this one has \(bytes.count).")
        }
        self.key = key
    }

    /// The key to be stored, as a secret.
    public var bytes: [UInt8] { Array(key.rawRepresentation) }

    /// The key that others seal envelopes with; no secret.
    public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
}

extension EnvelopeKey: CustomStringConvertible {
    /// Nothing of the secret.
    public var description: String { "an envelope key" }
}
#endif
