#if Envelopes
import Crypto

/// The recipient of an envelope: its name and its public key.
public struct EnvelopeAddress: Hashable, Sendable {
    /// Its name in the audience of claims.
    public let name: String
    /// Its public key: X25519, 32 bytes.
    public let publicKey: [UInt8]

    /// Creates the address of a machine.
    ///
    /// - Parameters:
    ///   - name: The machine's own name.
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

    /// Creates a new key.
    public init() { key = Curve25519.KeyAgreement.PrivateKey() }

    /// Creates a key from bytes.
    ///
    /// - Parameter bytes: 32 bytes, to be kept secret.
    /// - Throws: ``EnvelopeError`` with the code `.unusableKey`.
    public init(bytes: [UInt8]) throws(EnvelopeError) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else {
            throw EnvelopeError(.unusableKey, "A private key has 32 bytes, and this one has \(bytes.count).")
        }
        self.key = key
    }

    /// The key for storage; keep it secret.
    public var bytes: [UInt8] { Array(key.rawRepresentation) }

    /// The key that others seal envelopes with; it is not secret.
    public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
}

extension EnvelopeKey: CustomStringConvertible {
    /// A description without the secret.
    public var description: String { "an envelope key" }
}
#endif
