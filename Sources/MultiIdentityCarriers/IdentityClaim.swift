import MultiIdentity

/// A carrier's statement of an identity: unverified, and so no identity yet.
///
/// A claim cannot be bound. A verifier turns it into an `Identity`, and the caller says which:
///
/// ```swift
/// if let claim = try IdentityBaggage.standard.extract(from: request.headers, using: HeaderFields()) {
///     let identity = try claim.verified(by: .mutualTLS(peer: peer.certificateName, allowing: ["web.contoso.com"]))
///     withIdentity(identity) { … }
/// }
/// ```
public struct IdentityClaim: Sendable {
    /// The claimed subject, checked against the rules of names alone.
    let subject: ClaimedSubject

    /// The signature that came with the claim, unverified too; `nil` where it is not signed.
    public let signature: IdentitySignature?

    /// The name that is claimed, for display in what operators read, and for nothing else; `nil` where it is nobody.
    ///
    /// It has no control characters and no line breaks. It can have characters that show other text than there is, as
    /// from right to left; `description` escapes those.
    public var unverifiedName: String? { subject.name }

    /// The names of those who are claimed to act for it, the one that acts now first; for display as above.
    public var unverifiedActorNames: [String] { subject.actors }
}

extension IdentityClaim: CustomStringConvertible, CustomDebugStringConvertible {
    /// `unverified claim of "ada@contoso.com"`, escaped and cut for a line of a log.
    public var description: String {
        switch subject {
        case .nobody: "unverified claim of nobody"
        case .named(let name, let actors):
            "unverified claim of \"\(EscapedText(name))\"" + (actors.first.map { " by \"\(EscapedText($0))\"" } ?? "")
        }
    }

    /// As `description`.
    public var debugDescription: String { description }
}
