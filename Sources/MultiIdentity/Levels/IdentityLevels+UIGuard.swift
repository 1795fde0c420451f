extension IdentityLevels {
    /// One setting of the UI level, for detecting later settings.
    package struct UIMark: Hashable, Comparable, Sendable {
        let mark: UILevel.Mark

        package static func < (one: UIMark, other: UIMark) -> Bool { one.mark < other.mark }
    }

    /// Installs a guard that is asked, from now on, when the UI level is set directly.
    ///
    /// - Returns: Whether it was installed; `false` if it is a switcher's guard and there already is one.
    @discardableResult
    package func installUIGuard(_ uiGuard: UIGuard) -> Bool { uiLevel.install(uiGuard) }

    /// Removes a guard, if it is installed.
    package func removeUIGuard(_ uiGuard: UIGuard) { uiLevel.remove(uiGuard) }

    /// Sets the UI level on behalf of its guard.
    ///
    /// - Returns: The mark of this setting.
    /// - Throws: ``IdentityError`` with the code `.revoked` if the identity is revoked; the level is then unchanged.
    package func switchUI(to identity: Identity?) throws(IdentityError) -> UIMark {
        UIMark(mark: try uiLevel.set(identity))
    }

    /// The mark of the current setting of the UI level.
    package var uiMark: UIMark { UIMark(mark: uiLevel.mark) }

    /// Sets the UI level to nobody temporarily.
    package func exchangeUIForNobody() -> (before: Identity?, mark: UIMark) {
        let (before, mark) = uiLevel.exchangeForNobody()
        return (before, UIMark(mark: mark))
    }

    /// Returns whether the UI level has not been set since.
    package func isUIStill(at mark: UIMark) -> Bool { uiMark == mark }

    /// Ends a temporary nobody: restores the level, unless it was set since or the identity is revoked.
    package func bringUIBack(_ before: Identity?, ifStillAt mark: UIMark) -> Bool {
        uiLevel.bringBack(before, ifStillAt: mark.mark)
    }

    /// Replaces an identity on the UI level by nobody.
    package func takeOffUI(_ identity: Identity) { uiLevel.takeOff(identity) }

    /// Replaces an identity on the process level by another one.
    package func replaceProcess(_ identity: Identity, by other: Identity?) {
        processLevel.replace(identity, by: other)
    }

    /// The identity bound to code on main that requests a switch to another one; `nil` if there is no conflict.
    ///
    /// The only read of the thread level that strict mode does not report: no code asked for an identity.
    package func identityAtOdds(withSwitchTo identity: Identity?) -> Identity? {
        let here = ThreadMirror.current()
        // An inferred identity that must not decide is no conflict: plain calls would not have carried it.
        guard here.withheldInference == nil, let bound = here.identity, bound != identity, mainProbe() else {
            return nil
        }
        return bound
    }

    /// Reports a setting that a guard refused.
    func notifyOfDirectSetting(_ identity: Identity?) {
        diagnosticSettings.notify(
            Finding(
                kind: .uiSetDirectly,
                identity: identity,
                site: nil,
                hops: [],
                message: """
                    IdentityLevels.ui was not set to \(identity.map { "\($0)" } ?? "nothing"), which is managed or \
                    revoked: only a switch, with its launch checks, may do that. Use IdentitySwitcher.switchUI(to:).
                    """
            )
        )
    }

    /// Reports a delegate that is missing, or that breaks its contract.
    package func notifyOfSwitching(_ identity: Identity?, _ message: String) {
        diagnosticSettings.notify(
            Finding(kind: .switchMisused, identity: identity, site: nil, hops: [], message: message)
        )
    }
}
