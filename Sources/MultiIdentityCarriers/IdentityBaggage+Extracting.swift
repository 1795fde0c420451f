import MultiIdentity

extension IdentityBaggage {
    /// Extracts the carrier's claim of an identity.
    ///
    /// - Parameters:
    ///   - carrier: The headers, the metadata.
    ///   - fields: Reads them.
    /// - Returns: The claim, unverified; `nil` where there is none, which is unset.
    /// - Throws: ``IdentityCarrierError`` where the header is beyond its limits or could be read in two ways, and where the
    ///   member is not what this package sends. Bind nothing then: it is not the same as no claim.
    /// - Complexity: O(*n*) in the length of the header, which is limited before it is looked at.
    public func extract<Fields: IdentityExtractor>(
        from carrier: Fields.Carrier,
        using fields: Fields
    ) throws(IdentityCarrierError) -> IdentityClaim? {
        try claim(in: fields.extractAll(key: header, from: carrier))
    }

    /// Returns the claim of an identity in the header's values, where they came otherwise than in a carrier.
    ///
    /// - Parameter values: The header's values, one for each time that it is there.
    /// - Returns: The claim, unverified; `nil` where there is none, which is unset.
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
                    The header has a member "\(EscapedText(bytes: candidate.key))", which differs from "\(member)" in case \
                    or encoding alone: another reader could take it for that. Have the sender leave it out.
                    """
                )
            case .ours:
                if ours != nil {
                    throw IdentityCarrierError(
                        .duplicateMember,
                        """
                        The header has more than one member "\(member)". Let what adds it replace what is there, and \
                        remove it where requests come in from outside.
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
