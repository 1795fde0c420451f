#if Signing
/// A claim names a key that its issuer's ring does not hold, or none: it is not believed.
public struct UnknownKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The signer, as the claim says.
    public let issuer: String
    /// The key that signed, as the claim says.
    public let keyID: String?

    /// A claim that names a key which is not there.
    public init(issuer: String, keyID: String?) {
        self.issuer = issuer
        self.keyID = keyID
    }

    /// A sentence with the missing key, and what to do; what is no key's id is not shown, since nobody vouched for it.
    public var description: String {
        let key = keyID.map { KeyRing.isID($0) ? "the key \"\($0)\"" : "a key by what is no key's id" } ?? "no key"
        return """
            The claim names \(key), which is not in the ring of its issuer here. A new key has to stand in every \
            verifier's ring before it signs.
            """
    }
}
#endif
