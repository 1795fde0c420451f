public import MultiIdentity

extension IdentityBaggage {
    /// Captured when called: writes the current identity into the carrier, unsigned.
    ///
    /// Other members stay, the first ones if there is no space for all. The identity's member is replaced, however
    /// often it occurs and whatever the case of its key. With no identity bound it is removed, so that a forwarded
    /// header claims nothing.
    ///
    /// - Parameters:
    ///   - identity: The identity to claim; by default that of the thread level, or none if that was inferred for
    ///     display only (`IdentityInference`).
    ///   - carrier: The carrier, such as headers or metadata; unchanged if this throws, except with `.notReplaced`.
    ///   - fields: Reads and writes the carrier.
    /// - Throws: ``IdentityCarrierError`` if the member alone exceeds the limits, or the carrier did not accept it.
    public func inject<Fields: IdentityInjector & IdentityExtractor>(
        _ identity: Identity? = Identity.toBeClaimed,
        into carrier: inout Fields.Carrier,
        using fields: Fields
    ) throws(IdentityCarrierError) {
        let existing = fields.extractAll(key: header, from: carrier)
        try replace(existing, by: headerValue(for: identity, besides: existing), in: &carrier, using: fields)
    }

    /// Captured when called: writes the current identity into the carrier, signed.
    ///
    /// - Parameters:
    ///   - identity: The identity to claim; by default that of the thread level, or none if that was inferred for
    ///     display only (`IdentityInference`).
    ///   - carrier: The carrier, such as headers or metadata; unchanged if this throws, except with `.notReplaced`.
    ///   - fields: Reads and writes the carrier.
    ///   - signing: Signs the claim; it is not called if no identity is bound.
    /// - Throws: ``IdentityCarrierError`` as without a signature, and the error of `signing`.
    public func inject<Fields: IdentityInjector & IdentityExtractor>(
        _ identity: Identity? = Identity.toBeClaimed,
        into carrier: inout Fields.Carrier,
        using fields: Fields,
        signing: IdentitySigning
    ) throws {
        let existing = fields.extractAll(key: header, from: carrier)
        let value = try headerValue(for: identity, besides: existing, signing: signing)
        try replace(existing, by: value, in: &carrier, using: fields)
    }

    private func replace<Fields: IdentityInjector & IdentityExtractor>(
        _ existing: [String],
        by value: String?,
        in carrier: inout Fields.Carrier,
        using fields: Fields
    ) throws(IdentityCarrierError) {
        if !existing.isEmpty { fields.removeAll(forKey: header, from: &carrier) }
        if let value { fields.inject(value, forKey: header, into: &carrier) }
        let now = fields.extractAll(key: header, from: carrier).filter { !$0.isEmpty }
        guard now.count <= 1, now.first.map({ $0.isExactly(value ?? "") }) ?? (value == nil) else {
            throw IdentityCarrierError(
                .notReplaced,
                """
                After injecting, the carrier has \(now.count) values for "\(header)", of which the first is \
                "\(EscapedText(now.first ?? ""))". Make the injector replace the field, and do not send this carrier.
                """
            )
        }
    }
}

extension Identity {
    /// The identity to claim by default; another process decides by it.
    @usableFromInline
    static var toBeClaimed: Identity? { forDeciding(by: "Baggage was injected") }
}
