public import MultiIdentity

extension IdentityBaggage {
    /// Captured when called: puts the current identity into the carrier, unsigned.
    ///
    /// Members of others stay as they are, the first ones if there is no room for all. Ours is replaced, however often it was there and whatever the case of its key;
    /// with nothing bound it is removed, so that a header which was passed on does not speak for anybody.
    ///
    /// - Parameters:
    ///   - identity: The one to claim; the thread level, unless something else is given, or none where that was inferred and
    ///     is only shown (`IdentityInference`).
    ///   - carrier: The headers, the metadata; unchanged where this throws, but for `.notReplaced`.
    ///   - fields: Reads and writes them.
    /// - Throws: ``IdentityCarrierError`` where our member alone is beyond the limits, or the carrier did not take it.
    public func inject<Fields: IdentityInjector & IdentityExtractor>(
        _ identity: Identity? = Identity.toBeClaimed,
        into carrier: inout Fields.Carrier,
        using fields: Fields
    ) throws(IdentityCarrierError) {
        let existing = fields.extractAll(key: header, from: carrier)
        try replace(existing, by: headerValue(for: identity, besides: existing), in: &carrier, using: fields)
    }

    /// Captured when called: puts the current identity into the carrier, signed.
    ///
    /// - Parameters:
    ///   - identity: The one to claim; the thread level, unless something else is given, or none where that was inferred and
    ///     is only shown (`IdentityInference`).
    ///   - carrier: The headers, the metadata; unchanged where this throws, but for `.notReplaced`.
    ///   - fields: Reads and writes them.
    ///   - signing: Signs; it is not asked where nothing is bound.
    /// - Throws: ``IdentityCarrierError`` as without a signature, and what `signing` throws.
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
                "\(EscapedText(now.first ?? ""))". Have the injector replace a field and not add one, and do not send this.
                """
            )
        }
    }
}

extension Identity {
    /// The identity to claim where no other is given: another process decides by it.
    @usableFromInline
    static var toBeClaimed: Identity? { forDeciding(by: "Baggage was injected") }
}
