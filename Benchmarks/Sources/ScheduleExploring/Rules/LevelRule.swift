import MultiIdentity

/// The rule of the effective identity, written down once more: the first level that is set decides.
///
/// It shares no code with the resolver that it is compared with.
enum LevelRule: Sendable {
    /// The identity that work counts as, and the level that decided.
    struct Answer: Hashable, Sendable {
        var identity: HeldIdentity
        var level: EffectiveIdentity.Level?
    }

    static func answer(
        thread: HeldIdentity,
        ui: HeldIdentity,
        process: HeldIdentity,
        for purpose: EffectiveIdentity.Purpose,
        onMain: Bool
    ) -> Answer {
        var walk: [(EffectiveIdentity.Level, HeldIdentity)] = [(.thread, thread)]
        if purpose == .ui, onMain { walk.append((.ui, ui)) }
        walk.append((.process, process))
        for (level, held) in walk where held != .unset { return Answer(identity: held, level: level) }
        return Answer(identity: .unset, level: nil)
    }
}
