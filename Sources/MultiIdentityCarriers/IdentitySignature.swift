/// The signature of a claim, with everything that it covers, for a verifier to check.
///
/// ### The signed bytes
///
/// The 19 ASCII bytes of `MultiIdentityClaim1`, followed by at least seven fields in this order, each as its length (four
/// bytes, big-endian) and its bytes:
///
/// 1. the member's key;
/// 2. `named` or `nobody`;
/// 3. the name as spelled, in UTF-8; empty for nobody;
/// 4. the issuer, in UTF-8;
/// 5. the audience, in UTF-8;
/// 6. the expiry, in whole seconds since 1970-01-01T00:00:00Z, in decimal digits;
/// 7. the key ID, in UTF-8; empty if there is none.
///
/// If others act for the identity, their names follow, one field each, the current actor first.
///
/// Claims that differ have different bytes; so does a claim moved to another member. The header's name and the rest of
/// the request are not covered.
public struct IdentitySignature: Sendable {
    /// The exact bytes that are signed.
    public let bytes: [UInt8]
    /// The claimed signature of those bytes.
    public internal(set) var signature: [UInt8]
    /// The signer that the claim states.
    public let issuer: String
    /// The audience that the claim states.
    public let audience: String
    /// The expiry that the claim states, since 1970-01-01T00:00:00Z.
    public let expiry: Duration
    /// The ID of the issuer's signing key that the claim states; `nil` if there is none.
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
