import MultiIdentity

extension IdentityBaggage {
    /// Extracts a carrier's claim of an identity.
    ///
    /// - Parameters:
    ///   - carrier: The carrier, such as headers or metadata.
    ///   - fields: Reads the carrier.
    /// - Returns: The unverified claim; `nil` if there is none, which means unset.
    /// - Throws: ``IdentityCarrierError`` if the header exceeds its limits or is ambiguous, or if the member is
    ///   malformed. Bind nothing then: this is not the same as no claim.
    /// - Complexity: O(*n*) in the length of the header, whose limit is checked first.
    public func extract<Fields: IdentityExtractor>(
        from carrier: Fields.Carrier,
        using fields: Fields
    ) throws(IdentityCarrierError) -> IdentityClaim? {
        try claim(in: fields.extractAll(key: header, from: carrier))
    }

    /// Returns the claim of an identity in header values that did not come in a carrier.
    ///
    /// - Parameter values: The header's values, one for each occurrence.
    /// - Returns: The unverified claim; `nil` if there is none, which means unset.
    /// - Throws: ``IdentityCarrierError`` as ``extract(from:using:)``.
    public func claim(in values: [String]) throws(IdentityCarrierError) -> IdentityClaim? {
        var ours: BaggageMember?
        for candidate in try BaggageMember.all(in: values) {
            switch candidate.likeness(to: member) {
            case .anothers: continue
            case .almostOurs:
                throw IdentityCarrierError(
                    .ambiguousMember,
                    """
                    The header has a member "\(EscapedText(bytes: candidate.key))", which differs from "\(member)" only in \
                    case or encoding: some readers take it for that one. Have the sender remove it.
                    """
                )
            case .ours:
                if ours != nil {
                    throw IdentityCarrierError(
                        .duplicateMember,
                        """
                        The header has more than one member "\(member)". Replace the member instead of adding one, and \
                        remove it from external requests.
                        """
                    )
                }
                ours = candidate
            }
        }
        guard let ours else { return nil }
        return try ClaimReader(member: member, text: ours.text).claim(in: ours.parts)
    }
}
