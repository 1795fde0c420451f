/// An event in the revocation of a name, for the account registry.
package enum RevocationEvent: Sendable {
    /// It was revoked, or is now revoked for a stronger reason.
    case revoked(Identity, IdentityRevocation.Reason)
    /// It has departed until it is readmitted: it was signed out, or its wipe is complete.
    case departed(Identity)
    /// It may work again.
    case readmitted(Identity)
}

/// A watcher that is notified of every revoked name, in order.
package protocol RevocationWatcher: AnyObject, Sendable {
    /// Records an event, and calls no other code: it runs inside the lock that orders revocations.
    func note(_ event: RevocationEvent)

    /// Notifies others of the recorded events, outside that lock.
    func notify()
}

extension IdentityRevocation {
    /// Registers a watcher for every revoked name from now on, and first for those that are already revoked.
    ///
    /// - Complexity: O(*n*) in the number of revoked names.
    package static func watch(_ watcher: any RevocationWatcher) { RevokedNames.shared.add(watcher) }

    package static func unwatch(_ watcher: any RevocationWatcher) { RevokedNames.shared.remove(watcher) }

    /// Records that nothing is left of an identity that is revoked for a wipe.
    package static func wipeIsComplete(of identity: Identity) { RevokedNames.shared.wipeIsComplete(of: identity) }

    /// Returns whether an identity itself is revoked: an alias of an account is refused, but not revoked.
    package static func isRevokedItself(_ identity: Identity) -> Bool {
        isRevoked(identity) && RevokedNames.shared.has(identity)
    }

    /// Returns whether an identity has departed: signed out or completely wiped, and not readmitted since.
    package static func hasDeparted(_ identity: Identity) -> Bool {
        isRevoked(identity) && RevokedNames.shared.hasDeparted(identity)
    }
}
