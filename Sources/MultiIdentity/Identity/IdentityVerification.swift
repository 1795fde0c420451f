/// A record of how a claim was verified, stored in the resulting identity, for explanations and audits.
///
/// It says who vouched, and by which means. It is no proof: any code can make one.
public struct IdentityVerification: Hashable, Sendable {
    /// The means, such as `signature`, `mutual TLS` or `trusted peer`.
    public let way: String
    /// The party that vouched: the issuer or the peer.
    public let party: String
    /// Further details: the key, or why the peer is trusted.
    public let detail: String?

    /// Creates a verification, for custom verifiers.
    ///
    /// - Parameters:
    ///   - way: The means, in a word or two.
    ///   - party: The party that vouched.
    ///   - detail: Further details.
    public init(way: String, party: String, detail: String? = nil) {
        self.way = way
        self.party = party
        self.detail = detail
    }
}

extension IdentityVerification: CustomStringConvertible {
    /// `signature of "web" (key 2026-11)`, escaped and truncated for a log line.
    public var description: String {
        var text = "\(EscapedText(way)) of \"\(EscapedText(party))\""
        if let detail { text += " (\(EscapedText(detail)))" }
        return text
    }
}
