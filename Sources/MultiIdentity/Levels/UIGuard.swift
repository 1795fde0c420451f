/// A guard that has a say where somebody sets the UI level past a switch.
package final class UIGuard: Sendable {
    /// The keeper of a guard.
    package enum Keeper: Hashable, Sendable {
        /// Accounts with policies in force.
        case accounts
        /// A switcher, of which levels have one.
        case switcher
    }

    let keeper: Keeper
    private let needsSwitch: @Sendable (Identity) -> Bool

    /// - Parameters:
    ///   - keeper: The keeper of the guard.
    ///   - needsSwitch: Whether the level is set to a named identity by a switch only; asked outside every lock.
    package init(of keeper: Keeper, needsSwitch: @escaping @Sendable (Identity) -> Bool) {
        self.keeper = keeper
        self.needsSwitch = needsSwitch
    }

    /// Returns whether the level may be set so directly; unset and nobody always may, a revoked identity never.
    func letsPass(_ identity: Identity?) -> Bool {
        guard let identity, !identity.isNobody else { return true }
        return !IdentityRevocation.isRevoked(identity) && !needsSwitch(identity)
    }
}
