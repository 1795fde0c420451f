/// A record of how a claim came to be believed, kept by the identity that it became, for explanations and audits.
///
/// It says who vouched and by which means. It is a record and no proof: any code can make one.
public struct IdentityVerification: Hashable, Sendable {
    /// The means, as `signature`, `mutual TLS`, `trusted peer`.
    public let way: String
    /// The party that vouched: the issuer, the peer.
    public let party: String
    /// Further details: the key, or why the peer is trusted.
    public let detail: String?

    /// For verifiers of one's own.
    ///
    /// - Parameters:
    ///   - way: The means, in a word or two.
    ///   - party: Who vouched.
    ///   - detail: What else there is to know.
    public init(way: String, party: String, detail: String? = nil) {
        self.way = way
        self.party = party
        self.detail = detail
    }
}

extension IdentityVerification: CustomStringConvertible {
    /// `signature of "web" (key 2026-11)`, escaped and cut for a line of a log.
    public var description: String {
        var text = "\(EscapedText(way)) of \"\(EscapedText(party))\""
        if let detail { text += " (\(EscapedText(detail)))" }
        return text
    }
}
