import MultiIdentity

/// A carrier's unverified statement of an identity.
///
/// A claim cannot be bound. A verifier turns it into an `Identity`, and the caller chooses the verifier:
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

    /// The signature of the claim, also unverified; `nil` if it is not signed.
    public let signature: IdentitySignature?

    /// The claimed name, only for display to operators; `nil` for nobody.
    ///
    /// It has no control characters and no line breaks. It can have characters that change the order of the shown text,
    /// such as right-to-left marks; `description` escapes those.
    public var unverifiedName: String? { subject.name }

    /// The names claimed to act for it, the current actor first; only for display to operators.
    public var unverifiedActorNames: [String] { subject.actors }
}

extension IdentityClaim: CustomStringConvertible, CustomDebugStringConvertible {
    /// The claim as `unverified claim of "ada@contoso.com"`, escaped and shortened for logs.
    public var description: String {
        switch subject {
        case .nobody: "unverified claim of nobody"
        case .named(let name, let actors):
            "unverified claim of \"\(EscapedText(name))\"" + (actors.first.map { " by \"\(EscapedText($0))\"" } ?? "")
        }
    }

    /// The same as `description`.
    public var debugDescription: String { description }
}
