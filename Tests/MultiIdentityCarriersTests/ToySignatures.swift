import MultiIdentity
import MultiIdentityCarriers

/// Forgeable signatures: the tests cover what is signed, not how strong the signature is.
enum ToySignatures {
    /// FNV-1a over the key and then the bytes.
    static func signature(of bytes: [UInt8], key: String = "a secret") -> [UInt8] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(key.utf8) + bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
    }

    /// A clock that does not advance.
    static let noon: @Sendable () -> Duration = { .seconds(1_795_341_600) }

    static func signing(
        issuer: String = "web",
        audience: String = "orders",
        keyID: String? = "2026-11",
        lifetime: Duration = .seconds(60)
    ) throws -> IdentitySigning {
        try IdentitySigning(issuer: issuer, audience: audience, keyID: keyID, lifetime: lifetime, now: noon) {
            signature(of: $0)
        }
    }

    static func verifier(
        audience: String = "orders",
        issuers: [String] = ["web"],
        maximumLifetime: Duration = .seconds(300),
        leeway: Duration = .zero,
        now: @escaping @Sendable () -> Duration = noon
    ) -> SignatureVerifier {
        SignatureVerifier(
            audience: audience,
            issuers: issuers,
            maximumLifetime: maximumLifetime,
            leeway: leeway,
            now: now
        ) { $0.signature == signature(of: $0.bytes) }
    }
}
