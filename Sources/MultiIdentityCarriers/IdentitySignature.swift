/// A claim's signature with everything that it covers, as it came: for a verifier to check.
///
/// ### The signed bytes
///
/// The 19 ASCII bytes of `MultiIdentityClaim1`, and after them seven fields or more in this order, each as its length in four
/// bytes, the highest first, and then its bytes:
///
/// 1. the member's key;
/// 2. `named` or `nobody`;
/// 3. the name as it is spelled, in UTF-8; empty for nobody;
/// 4. the issuer, in UTF-8;
/// 5. the audience, in UTF-8;
/// 6. when it expires, in whole seconds since 1970-01-01T00:00:00Z, in decimal digits;
/// 7. the key's name, in UTF-8; empty where none is named.
///
/// Where others act for the identity, their names follow, a field each, the one that acts now first.
///
/// Two claims that differ have different bytes, and so has a claim that was moved to another member. The header's name is
/// not covered, nor is the request around it.
public struct IdentitySignature: Sendable {
    /// Exactly the bytes that are signed.
    public let bytes: [UInt8]
    /// The signature of those bytes, or what claims to be.
    public internal(set) var signature: [UInt8]
    /// The signer, as the claim says.
    public let issuer: String
    /// For whom, as the claim says.
    public let audience: String
    /// The time of expiry, as the claim says: since 1970-01-01T00:00:00Z.
    public let expiry: Duration
    /// The id of the issuer's key that signed, as the claim says; `nil` where it names none.
    public let keyID: String?
}

extension IdentitySignature {
    init(
        _ signature: [UInt8],
        of subject: ClaimedSubject,
        in member: String,
        under terms: SigningTerms,
        until expiry: Int64
    ) {
        self.init(
            bytes: Self.bytes(of: subject, in: member, under: terms, until: expiry),
            signature: signature,
            issuer: terms.issuer,
            audience: terms.audience,
            expiry: .seconds(expiry),
            keyID: terms.keyID
        )
    }

    static func bytes(
        of subject: ClaimedSubject,
        in member: String,
        under terms: SigningTerms,
        until expiry: Int64
    ) -> [UInt8] {
        let kind =
            switch subject {
            case .nobody: "nobody"
            case .named: "named"
            }
        var bytes = Array("MultiIdentityClaim1".utf8)
        let fields = [
            member, kind, subject.name ?? "", terms.issuer, terms.audience, String(expiry), terms.keyID ?? "",
        ]
        for field in fields + subject.actors {
            let length = UInt32(field.utf8.count)
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
            bytes.append(contentsOf: field.utf8)
        }
        return bytes
    }
}
