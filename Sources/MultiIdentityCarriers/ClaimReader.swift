import MultiIdentity

/// Reads a claim from our member, and refuses whatever this package does not write.
struct ClaimReader {
    let member: String
    /// The whole member, for messages.
    let text: ArraySlice<UInt8>

    // `parts` are the value and the properties; `nil` without a `=`.
    func claim(in parts: [ArraySlice<UInt8>]?) throws(IdentityCarrierError) -> IdentityClaim {
        guard let parts, let value = parts.first else { throw malformed("It has no value") }
        let properties = try properties(in: parts.dropFirst())
        let subject = try subject(value, isNobody: properties.has(.nobody), actors: properties[.act])
        return IdentityClaim(subject: subject, signature: try signature(of: subject, in: properties))
    }

    private func subject(
        _ value: ArraySlice<UInt8>,
        isNobody: Bool,
        actors: [UInt8]?
    ) throws(IdentityCarrierError) -> ClaimedSubject {
        if isNobody {
            guard value.isEmpty else { throw malformed("It has both a name and the property nobody") }
            if actors != nil { throw malformed("It claims nobody, but has an actor") }
            return .nobody
        }
        let name = try name(BaggageText.decoded(value))
        // Names have no line breaks.
        let lines = actors?.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) ?? []
        guard lines.count <= IdentityActor.maximumCount else {
            throw malformed("It has \(lines.count) actors, but at most \(IdentityActor.maximumCount) are allowed")
        }
        var names: [String] = []
        for line in lines { names.append(try self.name(Array(line))) }
        return .named(name, actors: names)
    }

    private func name(_ bytes: [UInt8]) throws(IdentityCarrierError) -> String {
        do {
            let name = try IdentityName.decode(bytes)
            try IdentityName.validate(name)
            return name
        } catch {
            throw IdentityCarrierError(
                .invalidName,
                "The member \"\(member)\" claims an invalid name. \(error.message)",
                nameError: error
            )
        }
    }

    private func properties(
        in parts: ArraySlice<ArraySlice<UInt8>>
    ) throws(IdentityCarrierError) -> ClaimProperties {
        var properties = ClaimProperties()
        for part in parts {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let key = part[..<(equals ?? part.endIndex)].trimmed
            // The header is ASCII, where text is equal if its bytes are.
            guard let property = ClaimProperty(rawValue: String(decoding: key, as: UTF8.self)) else {
                throw malformed("It has the unknown property \"\(EscapedText(bytes: key))\"")
            }
            guard (equals == nil) == (property == .nobody) else {
                throw malformed("Its property \"\(property)\" has \(equals == nil ? "no" : "a") value")
            }
            guard !properties.has(property) else {
                throw malformed("It has the property \"\(property)\" more than once")
            }
            properties[property] = if let equals { try BaggageText.decoded(part[(equals + 1)...].trimmed) } else { [] }
        }
        return properties
    }

    private func signature(
        of subject: ClaimedSubject,
        in properties: ClaimProperties
    ) throws(IdentityCarrierError) -> IdentitySignature? {
        guard properties.areSigned else { return nil }
        guard let issuer = properties[.iss], let audience = properties[.aud], let expiry = properties[.exp],
            let signature = properties[.sig]
        else { throw malformed("Its signature is incomplete: iss, aud, exp and sig are needed") }
        guard let seconds = Self.seconds(expiry) else {
            throw malformed("It expires at \"\(EscapedText(bytes: expiry))\", which is not a number of 1 to 12 digits")
        }
        guard let bytes = Base64.bytes(ofURLText: signature), !bytes.isEmpty else {
            throw malformed("Its signature \"\(EscapedText(bytes: signature))\" is not base64url without padding")
        }
        let keyID: String? = if let keyID = properties[.kid] { try term(keyID) } else { nil }
        let terms = try SigningTerms(issuer: term(issuer), audience: term(audience), keyID: keyID)
        return IdentitySignature(bytes, of: subject, in: member, under: terms, until: seconds)
    }

    private func term(_ bytes: [UInt8]) throws(IdentityCarrierError) -> String {
        do { return try IdentityName.decode(bytes) } catch {
            throw IdentityCarrierError(.invalidTerms, error.message)
        }
    }

    /// Decimal digits as this package writes them: no sign, no leading zero.
    private static func seconds(_ digits: [UInt8]) -> Int64? {
        guard (1...12).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private func malformed(_ what: String) -> IdentityCarrierError {
        IdentityCarrierError(
            .malformedMember,
            "The member \"\(EscapedText(bytes: text))\" is not a claim. \(what). Have the sender inject it with this package."
        )
    }
}
