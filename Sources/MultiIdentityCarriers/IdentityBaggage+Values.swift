public import MultiIdentity

// For carriers that are plain text, such as a database column: the header's value without a carrier.

extension IdentityBaggage {
    /// Returns the header value for an identity, unsigned.
    ///
    /// - Parameters:
    ///   - identity: The identity; `nil` for unset.
    ///   - existing: The current values of the header; their other members are kept as far as there is space.
    /// - Returns: The value; `nil` if it would have no member.
    /// - Throws: ``IdentityCarrierError`` if the member alone exceeds the limits of a header.
    public func headerValue(
        for identity: Identity?,
        besides existing: [String] = []
    ) throws(IdentityCarrierError) -> String? {
        try value(of: identity.map { (ClaimedSubject($0), nil) }, besides: existing)
    }

    /// Returns the header value for an identity, signed.
    ///
    /// - Parameters:
    ///   - identity: The identity; `nil` for unset, which is not signed.
    ///   - existing: The current values of the header; their other members are kept as far as there is space.
    ///   - signing: Signs the claim.
    /// - Returns: The value; `nil` if it would have no member.
    /// - Throws: ``IdentityCarrierError`` if the member alone exceeds the limits of a header, and the error of
    ///   `signing`.
    public func headerValue(
        for identity: Identity?,
        besides existing: [String] = [],
        signing: IdentitySigning
    ) throws -> String? {
        let subject = identity.map(ClaimedSubject.init)
        return try value(of: subject.map { ($0, try signing.signature(of: $0, in: member)) }, besides: existing)
    }

    private func value(
        of claim: (subject: ClaimedSubject, signature: IdentitySignature?)?,
        besides existing: [String]
    ) throws(IdentityCarrierError) -> String? {
        var ours: [UInt8] = []
        if let claim { append(claim.subject, claim.signature, to: &ours) }
        try BaggageMember.checkLength(ours.count, String(decoding: ours, as: UTF8.self))
        var value: [UInt8] = []
        for other in BaggageMember.others(than: member, in: existing, besides: ours.count) {
            if !value.isEmpty { value.append(UInt8(ascii: ",")) }
            value += other.text
        }
        if !value.isEmpty, !ours.isEmpty { value.append(UInt8(ascii: ",")) }
        value += ours
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }

    private func append(_ subject: ClaimedSubject, _ signature: IdentitySignature?, to text: inout [UInt8]) {
        func append(_ property: ClaimProperty, _ value: String) {
            text.append(UInt8(ascii: ";"))
            text += property.rawValue.utf8
            text.append(UInt8(ascii: "="))
            BaggageText.encode(value, into: &text)
        }
        text += member.utf8
        text.append(UInt8(ascii: "="))
        switch subject {
        case .nobody:
            text.append(UInt8(ascii: ";"))
            text += ClaimProperty.nobody.rawValue.utf8
        case .named(let name, let actors):
            BaggageText.encode(name, into: &text)
            if !actors.isEmpty { append(.act, actors.joined(separator: "\n")) }
        }
        guard let signature else { return }
        append(.iss, signature.issuer)
        append(.aud, signature.audience)
        append(.exp, String(signature.expiry.components.seconds))
        if let keyID = signature.keyID { append(.kid, keyID) }
        append(.sig, Base64.urlText(of: signature.signature))
    }
}
