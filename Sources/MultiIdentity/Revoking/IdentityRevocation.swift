/// The identities that may no longer work: those that are signed out, and those that are being wiped or were wiped.
///
/// ```swift
/// IdentityRevocation.isOn = true  // when the program starts
/// …
/// IdentityRevocation.revoke(ada, for: .signedOut)
/// let left = await IdentityRevocation.drain(ada, timeout: .seconds(5))
/// ```
///
/// From then on, work that was captured under that identity and has not begun runs under nobody, so that no group and no
/// continuation hangs; it can read its former owner (``revokedOwner``). Work that has begun keeps its identity to its end. Code
/// that begins new work calls ``admit(_:)``, which throws; an explicit scope still binds its identity.
///
/// While a name is an alias of an account (``RevokedOwner/account``), it counts as signed out.
public enum IdentityRevocation: Sendable {
    /// Readmits an identity; work captured before its revocation stays revoked.
    ///
    /// - Parameters:
    ///   - identity: The identity that may work again.
    ///   - reason: The reason that has ended: `.signedOut` does not lift a wipe.
    /// - Returns: Whether it was revoked for this reason or a weaker one, and was readmitted; `false` while it is being wiped.
    /// - Complexity: O(1).
    @discardableResult
    public static func readmit(_ identity: Identity, after reason: Reason = .signedOut) -> Bool {
        RevokedNames.shared.remove(identity, after: reason)
    }

    /// Returns whether an identity is revoked now.
    ///
    /// - Complexity: O(1): one load.
    public static func isRevoked(_ identity: Identity) -> Bool { identity.spelling.record.tally.isRevoked }

    /// All identities that are revoked now, with the reason; aliases are not included.
    ///
    /// - Complexity: O(*n*) in their number; no other names are stored.
    public static var all: [Identity: Reason] { RevokedNames.shared.all }

    /// Admits new work of an identity, or throws the reason why not; `nil` and nobody are always admitted.
    ///
    /// - Parameter identity: The identity of the new work.
    /// - Throws: ``IdentityError`` with the code `.revoked` if the identity, or one of its actors, is revoked.
    /// - Complexity: O(1): one load for each of them.
    public static func admit(_ identity: Identity?) throws(IdentityError) {
        if let owner = refused(identity) { throw IdentityError(owner) }
    }

    /// Returns the revoked owner for which new work of an identity is refused; `nil` if it is admitted.
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
    /// Indicates whether revocation is in effect, and work in flight is counted for each name; `false` by default, and `true`
    /// after the first ``revoke(_:for:)``.
    ///
    /// If it is off, it costs nothing. If it is on, scopes and captures of named identities take a frame, and each of their
    /// restores three atomic operations. Turn it on when the program starts: in a scope that was opened before, a plain `Task
    /// {}` keeps its creator's identity after a revocation, and its work is not counted. Bindings and captures made while this
    /// was off count as older than any revocation.
    public static var isOn: Bool {
        get { BindingFeatures.inUse.contains(.revocation) }
        set {
            // From then on, work that waits in boxes may be counted, for good.
            if newValue { BindingFeatures.insert(.countedBoxes) }
            BindingFeatures.set(.revocation, to: newValue)
        }
    }

    /// Revokes an identity, whether or not any work of it is known, and calls the registered handlers.
    ///
    /// An identity that is already revoked stays so; of the two reasons, `.wiped` counts. Revoking nobody has no effect.
    ///
    /// - Parameters:
    ///   - identity: The identity that may no longer work.
    ///   - reason: The reason.
    /// - Returns: The number of handlers that were called (`onRevocation`); each has returned.
    /// - Complexity: O(1) plus the handlers.
    @discardableResult
    public static func revoke(_ identity: Identity, for reason: Reason) -> Int {
        if identity.isNobody { return 0 }
        isOn = true
        RevokedNames.shared.add(identity, for: reason)
        return RevocationRegistration.call(for: identity)
    }

    /// The owner of this work, if the work runs under nobody because its owner was revoked; otherwise `nil`.
    ///
    /// It is also set in work that such work hands over, and in a scope of nobody inside it.
    ///
    /// - Complexity: O(1).
    public static var revokedOwner: RevokedOwner? { ThreadMirror.current().frame?.revokedWork?.owner }

    /// Returns a closure that runs `work` or, if the identity was revoked before the work began, `handler`; for any boundary.
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
    /// The check happens when the work would begin: groups, dependencies and waiting code proceed either way. Work that its
    /// caller waits for, as in `sync`, is part of the caller's work and is not dropped.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - handler: The closure that is called instead, under nobody.
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

    /// Makes the owner for a refused identity.
    package init(of identity: Identity) { self.init(of: identity, for: identity.spelling.record.tally.reason) }
}
