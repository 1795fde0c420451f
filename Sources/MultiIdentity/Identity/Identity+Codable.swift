extension Identity: Codable {
    private enum CodingKeys: String, CodingKey {
        case nobody
    }

    /// Decodes a name, or the object that ``encode(to:)`` makes of nobody; validates as ``init(_:)`` does.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the ``IdentityError`` as its underlying error if a name breaks a rule, and
    ///   any error of the decoder.
    public init(from decoder: any Decoder) throws {
        let name: String
        do {
            // A name first: some decoders return a keyed container for any value.
            name = try decoder.singleValueContainer().decode(String.self)
        } catch let noName {
            guard let container = try? decoder.container(keyedBy: CodingKeys.self) else { throw noName }
            guard try container.decode(Bool.self, forKey: .nobody) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .nobody,
                    in: container,
                    debugDescription: "Nobody is {\"nobody\": true}; any other identity is its name."
                )
            }
            self = .nobody
            return
        }
        do {
            try self.init(name)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: error.message,
                underlyingError: error
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Encodes the given spelling as a string, and nobody as `{"nobody": true}`.
    ///
    /// The form of nobody is neither a string, which could be a name, nor null, which is an unset optional.
    public func encode(to encoder: any Encoder) throws {
        if isNobody {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(true, forKey: .nobody)
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        }
    }
}
