/// What has a say where somebody sets the UI level past a switch.
package final class UIGuard: Sendable {
    private let needsSwitch: @Sendable (Identity) -> Bool

    /// - Parameter needsSwitch: Whether the level is set to a named identity by a switch only; asked outside every lock.
    package init(needsSwitch: @escaping @Sendable (Identity) -> Bool) {
        self.needsSwitch = needsSwitch
    }

    /// Whether the level may be set so directly; unset and nobody always are.
    func letsPass(_ identity: Identity?) -> Bool {
        guard let identity, !identity.isNobody else { return true }
        return !needsSwitch(identity)
    }
}
