/// A claim names a key that its issuer's ring does not hold, or none: it is not believed.
public struct UnknownKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Who signed, as the claim says.
    public let issuer: String
    /// Which key signed, as the claim says.
    public let keyID: String?

    /// A claim that names a key which is not there.
    public init(issuer: String, keyID: String?) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// Which key is missing, and what to do; what came from outside is escaped and cut.
    public var description: String {
        let key = keyID.map { "the key \($0.prefix(64).debugDescription)" } ?? "no key"
        return """
            The claim names \(key) of \(issuer.prefix(64).debugDescription), which is not in the ring here. A new key has \
            to stand in every verifier's ring before it signs.
            """
    }
}
