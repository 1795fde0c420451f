#if Envelopes
import Crypto
import Foundation

/// The form of an envelope, version 1; numbers have their most significant byte first.
///
/// | at | bytes | |
/// | --- | --- | --- |
/// | 0 | 8 | `8D 4D 49 45 56 0D 0A 1A` |
/// | 8 | 1 | the version, 1 |
/// | 9 | 32 | the encapsulated key of HPKE (RFC 9180): DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM |
/// | 41 | 2 | the length *n* of the claim, at most 8,192 |
/// | 43 | *n* | the claim: a member of W3C baggage, signed for this envelope alone |
/// | 43 + *n* | | the pieces: 4 bytes of length, of which the first bit marks the last one, and what HPKE sealed |
///
/// The first piece is the label; the content follows in pieces of 65,536 bytes, the last one with the rest. Each piece is
/// authenticated with the digest of everything before the pieces, and with whether it is the last; HPKE orders them.
enum EnvelopeFormat {
    static let start: [UInt8] = [0x8D, 0x4D, 0x49, 0x45, 0x56, 0x0D, 0x0A, 0x1A]
    static let version: UInt8 = 1
    static let keyLength = 32
    static let fixedLength = start.count + 1 + keyLength + 2
    static let maximumClaimLength = 8_192
    static let pieceLength = 65_536
    static let tagLength = 16
    static let maximumLabelLength = 4_096

    static let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

    /// Bound into HPKE's keys.
    static func info(of name: String) -> Data { Data("MultiIdentity envelope 1\0\(name)".utf8) }

    /// Returns the audience of the claim: the receiver, and this envelope.
    ///
    /// Only the creator of the encapsulated key and the receiver can seal a piece that opens with it. So a claim that was
    /// copied into another envelope has another audience.
    static func audience(of name: String, publicKey: [UInt8], encapsulatedKey: some Sequence<UInt8>) -> String {
        let digest = SHA256.hash(data: Data("MultiIdentity envelope 1\0".utf8) + publicKey + encapsulatedKey)
        return "\(name)/envelope \(digest.map { String(format: "%02x", $0) }.joined())"
    }

    /// Returns the additional authenticated data of a piece.
    static func authenticated(_ header: SHA256.Digest, isLast: Bool) -> Data { Data(header) + [isLast ? 1 : 0] }

    /// Returns the four bytes before a piece.
    static func prefix(of count: Int, isLast: Bool) -> [UInt8] {
        let number = UInt32(count) | (isLast ? 1 << 31 : 0)
        return withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
#endif
