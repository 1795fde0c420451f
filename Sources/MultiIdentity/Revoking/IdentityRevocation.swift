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
public enum IdentityRevocation: Sendable {
    /// Indicates whether revocation is looked for, and work in flight counted for each name; off at first, on after the first
    /// ``revoke(_:for:)``.
    ///
    /// Off it costs nothing. On, scopes and captures of named identities take a frame, and each restore of one three
    /// atomic operations. It is best turned on when the program starts: of a scope that was opened before, a plain `Task {}`
    /// keeps its creator's identity all the same, and its work is not counted. What was bound or captured before, or while
    /// this was off, counts as older than any revocation.
    public static var isOn: Bool {
        get { BindingFeatures.inUse.contains(.revocation) }
        set { BindingFeatures.set(.revocation, to: newValue) }
    }

    /// Revokes an identity, whether or not any work of it is known, and calls those who wait for that.
    ///
    /// An identity that is revoked already stays so, for the stronger of both reasons: wiped. Nobody cannot be revoked, and
    /// stays as it is.
    ///
    /// - Parameters:
    ///   - identity: Who may no longer work.
    ///   - reason: Why.
    /// - Returns: How many handlers were called (`onRevocation`); each has returned.
    /// - Complexity: O(1), and the handlers.
    @discardableResult
    public static func revoke(_ identity: Identity, for reason: Reason) -> Int {
        if identity.isNobody { return 0 }
        isOn = true
        RevokedNames.shared.add(identity, for: reason)
        return RevocationHandlers.shared.call(for: identity)
    }

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

    /// All identities that are revoked now, each with the reason.
    ///
    /// - Complexity: O(*n*) in their number: the only names that are kept.
    public static var all: [Identity: Reason] { RevokedNames.shared.all }

    /// The owner of this work, where it runs under nobody since its owner was revoked; else `nil`.
    ///
    /// It tells so too in work that such work hands over, and in a scope of nobody inside it.
    ///
    /// - Complexity: O(1).
    public static var revokedOwner: RevokedOwner? { ThreadMirror.current().contents?.revokedWork?.owner }

    /// Lets new work of an identity begin, or says why it may not; `nil` and nobody are always admitted.
    ///
    /// - Parameter identity: The identity of work that is about to begin.
    /// - Throws: ``IdentityRevokedError`` where the identity is revoked.
    /// - Complexity: O(1): one load.
    public static func admit(_ identity: Identity?) throws(IdentityRevokedError) {
        guard let identity else { return }
        let tally = identity.spelling.record.tally
        if tally.isRevoked { throw IdentityRevokedError(RevokedOwner(identity: identity, reason: tally.reason)) }
    }

    /// Lets new work begin for whom this work counts as, unless that is nobody only because its owner was revoked.
    ///
    /// For what would lay data down without an owner otherwise: a file that revoked work makes holds its owner's data,
    /// though it would be nobody's.
    ///
    /// - Parameter effective: Whom the work counts as, asked for here.
    /// - Throws: ``IdentityRevokedError`` where that identity is revoked, or this is work of somebody who is
    ///   (``revokedOwner``).
    /// - Complexity: O(1).
    public static func admit(workOf effective: EffectiveIdentity) throws(IdentityRevokedError) {
        try admit(effective.identity)
        if effective.identity?.isNobody ?? true, let owner = revokedOwner { throw IdentityRevokedError(owner) }
    }
}
