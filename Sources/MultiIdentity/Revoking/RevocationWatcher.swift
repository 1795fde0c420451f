/// An event in the revocation of a name, for the keeper of accounts.
package enum RevocationEvent: Sendable {
    /// It was revoked, or for a stronger reason.
    case revoked(Identity, IdentityRevocation.Reason)
    /// It is gone until it is readmitted: it was signed out, or its wipe is complete.
    case departed(Identity)
    /// It may work again.
    case readmitted(Identity)
}

/// A watcher that hears of every revoked name, in the order in which it happens.
package protocol RevocationWatcher: AnyObject, Sendable {
    /// Takes note of an event, and calls nobody: it runs inside the lock that gives revocations their order.
    func note(_ event: RevocationEvent)

    /// Tells others of what was noted; that lock is free.
    func notify()
}

extension IdentityRevocation {
    /// Has a watcher hear of every revoked name from now on, and first of those that are revoked already.
    ///
    /// - Complexity: O(*n*) in the number of revoked names.
    package static func watch(_ watcher: any RevocationWatcher) { RevokedNames.shared.add(watcher) }

    package static func unwatch(_ watcher: any RevocationWatcher) { RevokedNames.shared.remove(watcher) }

    /// Says that nothing is left of an identity that is revoked for a wipe.
    package static func wipeIsComplete(of identity: Identity) { RevokedNames.shared.wipeIsComplete(of: identity) }

    /// Returns whether an identity is revoked by itself: another name of an account is refused, and is not.
    package static func isRevokedItself(_ identity: Identity) -> Bool {
        isRevoked(identity) && RevokedNames.shared.has(identity)
    }

    /// Returns whether an identity is gone: signed out, or wiped to the end, and not readmitted since.
    package static func hasDeparted(_ identity: Identity) -> Bool {
        isRevoked(identity) && RevokedNames.shared.hasDeparted(identity)
    }
}
