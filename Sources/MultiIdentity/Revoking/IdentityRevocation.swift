/// The identities that may no longer work: those that were signed out, and those of which a wipe has begun.
///
/// ```swift
/// IdentityRevocation.isOn = true  // when the program starts
/// …
/// IdentityRevocation.revoke(ada, for: .signedOut)
/// let left = await IdentityRevocation.drain(ada, timeout: .seconds(5))
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
    /// Indicates whether revocation is looked for, and work in flight counted for each name; off at first, on after the first
    /// ``revoke(_:for:)``.
    ///
    /// Off it costs nothing. On, scopes and captures of named identities take a frame, and each restore of one three
    /// atomic operations. It is best turned on when the program starts: of a scope that was opened before, a plain `Task {}`
    /// keeps its creator's identity all the same, and its work is not counted. What was bound or captured before, or while
    /// this was off, counts as older than any revocation.
    public static var isOn: Bool {
        get { BindingFeatures.inUse.contains(.revocation) }
        set {
            // What waits in boxes from then on may be counted, ever after.
            if newValue { BindingFeatures.insert(.countedBoxes) }
            BindingFeatures.set(.revocation, to: newValue)
        }
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
        return RevocationRegistration.call(for: identity)
    }

    /// The owner of this work, where it runs under nobody since its owner was revoked; else `nil`.
    ///
    /// It tells so too in work that such work hands over, and in a scope of nobody inside it.
    ///
    /// - Complexity: O(1).
    public static var revokedOwner: RevokedOwner? { ThreadMirror.current().frame?.revokedWork?.owner }

    /// A closure for any boundary that runs `work`, or `handler` in its place where the work's identity was revoked before it
    /// began.
    ///
    /// ```swift
    /// operations.addOperation(
    ///     IdentityRevocation.dropping {
    ///         send(draft)
    ///     } onRevocation: { owner in
    ///         log("\(owner): not sent")
    ///     }
    /// )
    /// ```
    ///
    /// It is decided where the work would have begun, in its turn: groups, dependencies and waiting code get on either
    /// way. Work that its caller waits for, as in `sync`, belongs to the caller's and is not dropped.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - handler: What is called in its place, under nobody.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    public static func dropping(
        _ work: @escaping @Sendable () -> Void,
        onRevocation handler: @escaping @Sendable (RevokedOwner) -> Void
    ) -> @Sendable () -> Void {
        { if let owner = revokedOwner { handler(owner) } else { work() } }
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
