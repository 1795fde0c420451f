import MultiIdentity

/// Has nobody in the place of whoever is revoked while the UI level holds them.
final class RevokedOffUI: RevocationWatcher {
    private let levels: IdentityLevels

    init(_ levels: IdentityLevels) { self.levels = levels }

    func note(_ event: RevocationEvent) {
        if case .revoked(let identity, _) = event { levels.takeOffUI(identity) }
    }

    func tell() {}
}
