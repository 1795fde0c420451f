/// The identities that may no longer work: those that were signed out, and those of which a wipe has begun.
///
/// ```swift
/// IdentityRevocation.isOn = true  // when the program starts
/// …
/// IdentityRevocation.revoke(ada, for: .signedOut)
/// let left = await IdentityRevocation.drained(ada, within: .seconds(5))
/// ```
///
/// From then on work that was captured under that identity and has not begun runs under nobody, so that no group and no
/// continuation hangs, and can tell (``revokedOwner``). What has begun keeps its identity to its end. New work asks for
/// admission, which throws (``admit(_:)``); a scope that somebody opens explicitly binds what it says.
///
/// A name that is another one of an account (``RevokedOwner/account``) is treated in the same way, as long as it is: it
/// counts as signed out.
public enum IdentityRevocation: Sendable {
    /// Lets an identity work again; what was captured before its revocation stays revoked.
    ///
    /// - Parameters:
    ///   - identity: Who may work again.
    ///   - reason: What the caller knows to be over: a wipe is not lifted by who means a sign-out.
    /// - Returns: Whether it was revoked for this reason, or a weaker one, and is no longer; `false` while a wipe of it
    ///   is under way.
    /// - Complexity: O(1).
    @discardableResult
    public static func readmit(_ identity: Identity, after reason: Reason = .signedOut) -> Bool {
        RevokedNames.shared.remove(identity, after: reason)
    }

    /// Returns whether an identity is revoked now.
    ///
    /// - Complexity: O(1): one load.
    public static func isRevoked(_ identity: Identity) -> Bool { identity.spelling.record.tally.isRevoked }

    /// All identities that are revoked now, each with the reason; other names of accounts are not among them.
    ///
    /// - Complexity: O(*n*) in their number: the only names that are kept.
    public static var all: [Identity: Reason] { RevokedNames.shared.all }

    /// Lets new work of an identity begin, or says why it may not; `nil` and nobody are always admitted.
    ///
    /// - Parameter identity: The identity of work that is about to begin.
    /// - Throws: ``IdentityError`` with the code `.revoked` where the identity, or one that acts for it, is revoked.
    /// - Complexity: O(1): one load for each of them.
    public static func admit(_ identity: Identity?) throws(IdentityError) {
        if let owner = refused(identity) { throw IdentityError(owner) }
    }

    /// Returns who makes new work of an identity be refused; `nil` where it is admitted.
    package static func refused(_ identity: Identity?) -> RevokedOwner? {
        guard let identity else { return nil }
        if let owner = refusedAlone(identity) { return owner }
        guard let actor = identity.actor else { return nil }
        for identity in actor.identities { if let owner = refusedAlone(identity) { return owner } }
        return nil
    }

    private static func refusedAlone(_ identity: Identity) -> RevokedOwner? {
        let tally = identity.spelling.record.tally
        return tally.isRevoked ? RevokedOwner(of: identity, for: tally.reason) : nil
    }
}

extension IdentityRevocation {
    /// The reason why an identity may no longer work.
    public typealias Reason = RevokedOwner.Reason
}

extension RevokedOwner {
    init(of identity: Identity, for reason: Reason) {
        self.init(identity: identity, reason: reason, account: IdentityRevocation.account(named: identity))
    }

    /// For an identity that is refused.
    package init(of identity: Identity) { self.init(of: identity, for: identity.spelling.record.tally.reason) }
}
