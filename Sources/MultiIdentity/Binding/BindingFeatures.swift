import CMultiIdentity

/// The features in use in this process; what nobody uses costs one load and one branch.
///
/// Computed, and not stored: a stored one would be asked whether it is initialised, at every hop.
struct BindingFeatures: OptionSet {
    let rawValue: UInt32

    /// Levels of one's own.
    static var ownLevels: BindingFeatures { BindingFeatures(rawValue: 1 << 0) }
    /// Recording of where scopes were opened, and of the hops that work came by.
    static var provenance: BindingFeatures { BindingFeatures(rawValue: 1 << 1) }
    /// Other task-local values that travel along.
    static var companions: BindingFeatures { BindingFeatures(rawValue: 1 << 2) }
    static var budgets: BindingFeatures { BindingFeatures(rawValue: 1 << 3) }
    static var counters: BindingFeatures { BindingFeatures(rawValue: 1 << 4) }
    static var sentinel: BindingFeatures { BindingFeatures(rawValue: 1 << 5) }
    static var runningWork: BindingFeatures { BindingFeatures(rawValue: 1 << 6) }
    static var strictness: BindingFeatures { BindingFeatures(rawValue: 1 << 7) }
    /// Revocation: the revoked names, and work in flight counted for each name.
    static var revocation: BindingFeatures { BindingFeatures(rawValue: 1 << 9) }
    /// Marking of what automatic mode captures as inferred, and deciding nothing by it (``IdentityInference``).
    static var inference: BindingFeatures { BindingFeatures(rawValue: 1 << 12) }
    static var inferencesOnlyShown: BindingFeatures { BindingFeatures(rawValue: 1 << 13) }
    /// Captures that are counted in the box that they wait in (``OneShotCapture``): what waits may be, ever after.
    static var countedBoxes: BindingFeatures { BindingFeatures(rawValue: 1 << 14) }
    /// Nothing is taken that is there for speed alone (``IdentityRuntime/usesFastPaths``).
    static var fastPathsOff: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_FAST_PATHS_OFF)) }
    /// Others can bind our task-local, so that the mirror does not know (``ConcurrencyRuntime``).
    static var copiedBindings: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_BINDINGS_ARE_COPIED)) }

    /// The features for which a scope has to keep a frame.
    static var inScopes: BindingFeatures {
        [.ownLevels, .provenance, .companions, .budgets, .runningWork, .strictness, .revocation, .fastPathsOff]
    }
    /// The features for which a capture takes more than the thread level, in a frame.
    static var inFrames: BindingFeatures {
        [.provenance, .companions, .budgets, .sentinel, .runningWork, .strictness, .revocation]
    }
    /// The features for which a capture does more than read the thread level.
    static var inCaptures: BindingFeatures { inFrames.union([.counters, .fastPathsOff]) }
    /// The features for which a restore does more than bind.
    static var inRestores: BindingFeatures {
        [.companions, .budgets, .counters, .sentinel, .runningWork, .strictness, .revocation, .fastPathsOff]
    }

    /// Indicates whether nothing is in use that scopes, captures or restores have to do more for: the question of every hop.
    @inline(__always) static var scopesArePlain: Bool { inUse.isDisjoint(with: .inScopes) }
    @inline(__always) static var capturesArePlain: Bool { inUse.isDisjoint(with: .inCaptures) }
    @inline(__always) static var restoresArePlain: Bool { inUse.isDisjoint(with: .inRestores) }
    /// Indicates whether captures have no more to do than to keep what companions hold, and to count.
    @inline(__always) static var capturesAreLight: Bool { inUse.isDisjoint(with: .inCaptures.subtracting(.light)) }
    /// The same, and to note the hop.
    @inline(__always) static var capturesOnlyNote: Bool {
        inUse.isDisjoint(with: .inCaptures.subtracting(.notedInCaptures))
    }
    /// Indicates whether restores have no more to do than to lend the values of companions.
    @inline(__always) static var restoresOnlyLend: Bool { inUse.intersection(.inRestores) == .companions }
    /// The same, to count, and to note the work as running.
    @inline(__always) static var restoresOnlyNote: Bool { inUse.isDisjoint(with: .inRestores.subtracting(.noted)) }
    /// The same for work that runs once in a box, where revocation counts for as little.
    @inline(__always) static var oneShotCapturesAreLight: Bool {
        inUse.isDisjoint(with: .inCaptures.subtracting(.light.union(.revocation)).union(.copiedBindings))
    }
    @inline(__always) static var oneShotCapturesOnlyNote: Bool {
        inUse.isDisjoint(with: .inCaptures.subtracting(.notedInCaptures.union(.revocation)).union(.copiedBindings))
    }
    @inline(__always) static var oneShotRestoresOnlyNote: Bool {
        inUse.isDisjoint(with: .inRestores.subtracting(.noted.union(.revocation)).union(.copiedBindings))
    }
    static var light: BindingFeatures { [.companions, .counters] }
    static var noted: BindingFeatures { [.companions, .counters, .runningWork] }
    static var notedInCaptures: BindingFeatures { [.companions, .counters, .runningWork, .provenance, .sentinel] }
    /// The same of a box's restores; `false` once any box may be counted.
    @inline(__always) static var boxedRestoresArePlain: Bool {
        inUse.isDisjoint(with: .inRestores.union(.countedBoxes))
    }
    /// The same for automatic mode, which marks what it infers.
    @inline(__always) static var inferredCapturesArePlain: Bool {
        inUse.isDisjoint(with: .inCaptures.union(.inference))
    }
    @inline(__always) static var inferredRestoresArePlain: Bool {
        inUse.isDisjoint(with: .inRestores.union(.inference))
    }

    static var inUse: BindingFeatures { BindingFeatures(rawValue: mi_frame_features_load()) }
    static func insert(_ features: BindingFeatures) { mi_frame_features_insert(features.rawValue) }
    static func remove(_ features: BindingFeatures) { mi_frame_features_remove(features.rawValue) }
    static func set(_ features: BindingFeatures, to isOn: Bool) {
        if isOn { insert(features) } else { remove(features) }
    }
}
