/// The identity of work that now runs under nobody, or whose new work is refused, and the reason.
public struct RevokedOwner: Hashable, Sendable {
    /// The identity that the work had.
    public let identity: Identity
    /// The reason why the work no longer has it.
    public let reason: Reason
    /// The account that the identity is an alias of; if set, no one was revoked, and the work should run as the account.
    public let account: Identity?

    /// The reason why an identity may no longer work.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// It was signed out; its data is still there.
        case signedOut
        /// Its data is being removed, or was.
        case wiped
    }
}

extension RevokedOwner.Reason: CustomStringConvertible {
    /// `signed out` or `wiped`.
    public var description: String {
        switch self {
        case .signedOut: "signed out"
        case .wiped: "wiped"
        }
    }
}

extension RevokedOwner: CustomStringConvertible {
    /// `ada@contoso.com, who was signed out`, or `oid-17, which is an alias of ada@contoso.com`.
    public var description: String {
        account.map { "\(identity), which is an alias of \($0)" } ?? "\(identity), who was \(reason)"
    }
}

extension RevokedOwner {
    /// The reason in words that follow the identity, for error messages.
    package var why: String {
        guard let account else { return "is signed out or being wiped" }
        return "is an alias of \(account)"
    }

    /// The advice at the end of such messages.
    package var remedy: String {
        account == nil
            ? "sign the account in again first" : "resolve names where they come in (AccountRegistry.identity(named:))"
    }

    /// The message for people: whose work was refused, why, and what to do.
    fileprivate var refusal: String {
        if account != nil { return "\(identity) \(why), and its work is refused: \(remedy)." }
        let advice =
            switch reason {
            case .signedOut: "Sign in again and readmit the identity first."
            case .wiped: "Wait until the wipe is complete, and enroll the account again."
            }
        return "\(identity) was \(reason), and its new work is refused. \(advice)"
    }
}

extension IdentityError {
    package init(_ owner: RevokedOwner) { self.init(.revoked, owner.refusal, revokedOwner: owner) }
}
