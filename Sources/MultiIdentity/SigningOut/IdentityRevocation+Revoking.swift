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
        return RevocationHandlers.shared.call(for: identity)
    }

    /// The owner of this work, where it runs under nobody since its owner was revoked; else `nil`.
    ///
    /// It tells so too in work that such work hands over, and in a scope of nobody inside it.
    ///
    /// - Complexity: O(1).
    public static var revokedOwner: RevokedOwner? { ThreadMirror.current().frame?.revokedWork?.owner }

    /// Lets new work begin for whom this work counts as, unless that is nobody only because its owner was revoked.
    ///
    /// For what would lay data down without an owner otherwise: a file that revoked work makes holds its owner's data,
    /// though it would be nobody's.
    ///
    /// - Parameter effective: Whom the work counts as, asked for here.
    /// - Throws: ``IdentityError`` with the code `.revoked` where that identity is revoked, or this is work of somebody who
    ///   is (``revokedOwner``).
    /// - Complexity: O(1).
    public static func admit(workOf effective: EffectiveIdentity) throws(IdentityError) {
        if let owner = refused(workOf: effective) { throw IdentityError(owner) }
    }

    /// Returns who makes new work be refused for whom this work counts as; `nil` where it is admitted.
    package static func refused(workOf effective: EffectiveIdentity) -> RevokedOwner? {
        refused(effective.identity) ?? (effective.identity?.isNobody ?? true ? revokedOwner : nil)
    }
}
