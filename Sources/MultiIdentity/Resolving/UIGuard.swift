/// What has a say where somebody sets the UI level past a switch.
package final class UIGuard: Sendable {
    /// Whose guard it is.
    package enum Keeper: Hashable, Sendable {
        /// Accounts, whose policies are in force.
        case accounts
        /// A switcher, of which levels have one.
        case switcher
    }

    let keeper: Keeper
    private let needsSwitch: @Sendable (Identity) -> Bool

    /// - Parameters:
    ///   - keeper: Whose guard it is.
    ///   - needsSwitch: Whether the level is set to a named identity by a switch only; asked outside every lock.
    package init(of keeper: Keeper, needsSwitch: @escaping @Sendable (Identity) -> Bool) {
        self.keeper = keeper
        self.needsSwitch = needsSwitch
    }

    /// Whether the level may be set so directly; unset and nobody always are, and who is revoked never.
    func letsPass(_ identity: Identity?) -> Bool {
        guard let identity, !identity.isNobody else { return true }
        return !IdentityRevocation.isRevoked(identity) && !needsSwitch(identity)
    }
}
