import MultiIdentity

/// The running calls of `underNobody`; those that overlap count as one, which ends with the last.
final class UISuspension: Sendable {
    /// One call, or several that overlap.
    final class Stay: Sendable {
        let before: Identity?
        let mark: IdentityLevels.UIMark

        fileprivate init(_ before: Identity?, _ mark: IdentityLevels.UIMark) {
            self.before = before
            self.mark = mark
        }
    }

    private struct State {
        var stay: Stay?
        var count: [ObjectIdentifier: Int] = [:]
    }

    private let levels: IdentityLevels
    private let state = Locked(State())

    init(_ levels: IdentityLevels) { self.levels = levels }

    /// Sets the UI level to nobody, or joins earlier calls if no switch was made since.
    func begin() -> Stay {
        state.withLock { [levels] state in
            let stay: Stay
            if let current = state.stay, levels.isUIStill(at: current.mark) {
                stay = current
            } else {
                let (before, mark) = levels.exchangeUIForNobody()
                stay = Stay(before, mark)
                state.stay = stay
            }
            state.count[ObjectIdentifier(stay), default: 0] += 1
            return stay
        }
    }

    /// Ends a call; the last one restores the earlier identity, if that is allowed and no switch was made since.
    ///
    /// - Returns: Whether the earlier identity was not restored because it is refused.
    func end(_ stay: Stay, mayComeBack: Bool) -> Bool {
        state.withLock { [levels] state in
            let left = (state.count[ObjectIdentifier(stay)] ?? 1) - 1
            state.count[ObjectIdentifier(stay)] = left == 0 ? nil : left
            guard left == 0 else { return false }
            if state.stay === stay { state.stay = nil }
            if mayComeBack, levels.bringUIBack(stay.before, ifStillAt: stay.mark) { return false }
            return levels.isUIStill(at: stay.mark)
        }
    }
}
