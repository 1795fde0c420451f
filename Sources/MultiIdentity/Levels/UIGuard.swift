/// A guard that is asked when the UI level is set without a switch.
package final class UIGuard: Sendable {
    /// The owner of a guard.
    package enum Keeper: Hashable, Sendable {
        /// Accounts with policies in force.
        case accounts
        /// A switcher; levels have at most one.
        case switcher
    }

    let keeper: Keeper
    private let needsSwitch: @Sendable (Identity) -> Bool

    /// - Parameters:
    ///   - keeper: The owner of the guard.
    ///   - needsSwitch: Returns whether only a switch may set the level to this named identity; called outside every lock.
    package init(of keeper: Keeper, needsSwitch: @escaping @Sendable (Identity) -> Bool) {
        self.keeper = keeper
        self.needsSwitch = needsSwitch
    }

    /// Returns whether the level may be set directly; unset and nobody always may, a revoked identity never.
    func letsPass(_ identity: Identity?) -> Bool {
        guard let identity, !identity.isNobody else { return true }
        return !IdentityRevocation.isRevoked(identity) && !needsSwitch(identity)
    }
}
