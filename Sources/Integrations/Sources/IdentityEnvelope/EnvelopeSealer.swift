#if Envelopes
import Crypto
import Foundation
public import MultiIdentity
public import MultiIdentityCarriers

/// Seals one owner's content for another machine, piece by piece, with constant memory.
///
/// ```swift
/// var sealer = try EnvelopeSealer(of: ada, for: archive, label: Array("may.txt".utf8)) { audience in
///     try .hmac(issuer: "web", audience: audience, keys: keys)
/// }
/// body.write(sealer.header)
/// while let piece = try file.next() { body.write(try sealer.seal(piece)) }
/// body.write(try sealer.finish())
/// ```
///
/// It cannot be copied: two continuations would use a nonce twice.
public struct EnvelopeSealer: ~Copyable {
    /// The beginning of the envelope, with the label; send it first.
    public let header: [UInt8]
    private var sender: HPKE.Sender
    private let digest: SHA256.Digest
    private var waiting: [UInt8]

    /// Begins an envelope.
    ///
    /// - Parameters:
    ///   - owner: The owner of the content, with its actors; nobody for content that belongs to no one.
    ///   - address: The recipient.
    ///   - label: What the receiver has to know before the content, such as a name; at most 4,096 bytes, also sealed.
    ///   - signing: Returns the claim's signing for an audience: the receiver and this envelope.
    /// - Throws: ``EnvelopeError``.
    public init(
        of owner: Identity,
        for address: EnvelopeAddress,
        label: [UInt8] = [],
        signing: (_ audience: String) throws -> IdentitySigning
    ) throws(EnvelopeError) {
        guard label.count <= EnvelopeFormat.maximumLabelLength else {
            throw EnvelopeError(
                .labelTooLong,
                "A label has at most \(EnvelopeFormat.maximumLabelLength) bytes, and this one has \(label.count)."
            )
        }
        var (sender, header) = try Self.begun(of: owner, for: address, signing: signing)
        let digest = SHA256.hash(data: header)
        header += try Self.sealed(label, isLast: false, by: &sender, digest)
        self.header = header
        self.sender = sender
        self.digest = digest
        waiting = []
    }

    /// Returns HPKE's sender, and everything before the pieces.
    private static func begun(
        of owner: Identity,
        for address: EnvelopeAddress,
        signing: (_ audience: String) throws -> IdentitySigning
    ) throws(EnvelopeError) -> (HPKE.Sender, [UInt8]) {
        do {
            let sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: address.publicKey),
                ciphersuite: EnvelopeFormat.suite,
                info: EnvelopeFormat.info(of: address.name)
            )
            let audience = EnvelopeFormat.audience(
                of: address.name,
                publicKey: address.publicKey,
                encapsulatedKey: sender.encapsulatedKey
            )
            let claim = try IdentityBaggage.standard.headerValue(for: owner, signing: signing(audience)) ?? ""
            let length = withUnsafeBytes(of: UInt16(claim.utf8.count).bigEndian) { Array($0) }
            let key = Array(sender.encapsulatedKey)
            return (sender, EnvelopeFormat.start + [EnvelopeFormat.version] + key + length + Array(claim.utf8))
        } catch {
            throw EnvelopeError(.sealingFailed, "The envelope cannot be created.", cause: error)
        }
    }

    /// Seals more of the content.
    ///
    /// - Parameter bytes: The next bytes, in any number.
    /// - Returns: The bytes that can be sent now.
    /// - Throws: ``EnvelopeError`` if the cryptographic library fails.
    public mutating func seal(_ bytes: some Sequence<UInt8>) throws(EnvelopeError) -> [UInt8] {
        waiting += bytes
        var sealed: [UInt8] = []
        var start = 0
        // What may be the last piece is kept until the end.
        while waiting.count - start > EnvelopeFormat.pieceLength {
            let end = start + EnvelopeFormat.pieceLength
            sealed += try Self.sealed(waiting[start..<end], isLast: false, by: &sender, digest)
            start = end
        }
        waiting.removeFirst(start)
        return sealed
    }

    /// Ends the envelope.
    ///
    /// - Returns: The rest of it.
    /// - Throws: ``EnvelopeError`` if the cryptographic library fails.
    public consuming func finish() throws(EnvelopeError) -> [UInt8] {
        try Self.sealed(waiting, isLast: true, by: &sender, digest)
    }

    private static func sealed(
        _ piece: some Collection<UInt8>,
        isLast: Bool,
        by sender: inout HPKE.Sender,
        _ digest: SHA256.Digest
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            let authenticated = EnvelopeFormat.authenticated(digest, isLast: isLast)
            let sealed = try sender.seal(Data(piece), authenticating: authenticated)
            return EnvelopeFormat.prefix(of: sealed.count, isLast: isLast) + sealed
        } catch {
            throw EnvelopeError(.sealingFailed, "The content cannot be sealed.", cause: error)
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Envelopes\"])")
#endif
