extension IdentityLevels {
    /// One setting of the UI level, to tell later whether it was set since.
    package struct UIMark: Hashable, Comparable, Sendable {
        let mark: UILevel.Mark

        package static func < (one: UIMark, other: UIMark) -> Bool { one.mark < other.mark }
    }

    /// Has a guard asked, from now on, where the UI level is set directly.
    ///
    /// - Returns: Whether it was installed: not where it is a switcher's, and there is one already.
    @discardableResult
    package func installUIGuard(_ uiGuard: UIGuard) -> Bool { uiLevel.install(uiGuard) }

    /// Takes a guard away, if it is there.
    package func removeUIGuard(_ uiGuard: UIGuard) { uiLevel.remove(uiGuard) }

    /// Sets the UI level on behalf of its guard.
    ///
    /// - Returns: The mark of this setting.
    /// - Throws: ``IdentityError`` with the code `.revoked` where the identity is revoked; the level is then as before.
    package func switchUI(to identity: Identity?) throws(IdentityError) -> UIMark {
        UIMark(mark: try uiLevel.set(identity))
    }

    /// The setting by which the UI level holds what it holds.
    package var uiMark: UIMark { UIMark(mark: uiLevel.mark) }

    /// Sets the UI level to nobody for a while.
    package func exchangeUIForNobody() -> (before: Identity?, mark: UIMark) {
        let (before, mark) = uiLevel.exchangeForNobody()
        return (before, UIMark(mark: mark))
    }

    /// Returns whether nobody has set the UI level since.
    package func isUIStill(at mark: UIMark) -> Bool { uiMark == mark }

    /// Ends a while under nobody: the level stands as before, unless it was set since or the identity is revoked.
    package func bringUIBack(_ before: Identity?, ifStillAt mark: UIMark) -> Bool {
        uiLevel.bringBack(before, ifStillAt: mark.mark)
    }

    /// Has the UI level hold nobody in the place of an identity.
    package func takeOffUI(_ identity: Identity) { uiLevel.takeOff(identity) }

    /// Has the process level hold another in the place of an identity.
    package func replaceProcess(_ identity: Identity, by other: Identity?) {
        processLevel.replace(identity, by: other)
    }

    /// The identity bound to code here that asks for a switch to somebody else on main; `nil` where nothing is in its way.
    ///
    /// The one read of the thread level that strict mode does not hear of: nobody asked for an identity.
    package func identityAtOdds(withSwitchTo identity: Identity?) -> Identity? {
        let here = ThreadMirror.current()
        // One that was inferred and is only shown is in nobody's way: plain calls would not have brought it.
        guard here.withheldInference == nil, let bound = here.identity, bound != identity, mainProbe() else {
            return nil
        }
        return bound
    }

    /// Tells of a setting that a guard refused.
    func notifyOfDirectSetting(_ identity: Identity?) {
        diagnostics.notify(
            IdentityFinding(
                kind: .uiSetDirectly,
                identity: identity,
                site: nil,
                hops: [],
                message: """
                    IdentityLevels.ui was to be set to \(identity.map { "\($0)" } ?? "nothing"), which is managed or \
                    revoked, past the switch and its launch checks; it is as before. Use IdentitySwitcher.switchUI(to:).
                    """
            )
        )
    }

    /// Tells of a delegate that is missing, or that does not keep to its part.
    package func notifyOfSwitching(_ identity: Identity?, _ message: String) {
        diagnostics.notify(
            IdentityFinding(kind: .switchMisused, identity: identity, site: nil, hops: [], message: message)
        )
    }
}
