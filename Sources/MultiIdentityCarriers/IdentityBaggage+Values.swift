public import MultiIdentity

// For carriers that are no more than text, as a column of a database: the header's value without a carrier.

extension IdentityBaggage {
    /// The header's value that carries an identity, unsigned.
    ///
    /// - Parameters:
    ///   - identity: The one to carry; `nil` for unset.
    ///   - existing: The values that the header has so far; their other members are kept.
    /// - Returns: The value, or `nil` where it would have no member.
    /// - Throws: ``IdentityCarrierError`` where the header would be beyond its limits.
    public func headerValue(
        for identity: Identity?,
        besides existing: [String] = []
    ) throws(IdentityCarrierError) -> String? {
        try value(of: identity.map { (ClaimedSubject($0), nil) }, besides: existing)
    }

    /// The header's value that carries an identity, signed.
    ///
    /// - Parameters:
    ///   - identity: The one to carry; `nil` for unset, which is not signed.
    ///   - existing: The values that the header has so far; their other members are kept.
    ///   - signing: Signs.
    /// - Returns: The value, or `nil` where it would have no member.
    /// - Throws: ``IdentityCarrierError`` where the header would be beyond its limits, and what `signing` throws.
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
        let others = try BaggageMember.all(in: existing).filter { $0.likeness(to: member) == .anothers }
        if others.isEmpty && claim == nil { return nil }
        var value: [UInt8] = []
        for other in others {
            if !value.isEmpty { value.append(UInt8(ascii: ",")) }
            value += other.text
        }
        if let claim {
            if !value.isEmpty { value.append(UInt8(ascii: ",")) }
            append(claim.subject, claim.signature, to: &value)
        }
        let text = String(decoding: value, as: UTF8.self)
        try BaggageMember.checkCount(others.count + (claim == nil ? 0 : 1))
        try BaggageMember.checkLength(value.count, text)
        return text
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
