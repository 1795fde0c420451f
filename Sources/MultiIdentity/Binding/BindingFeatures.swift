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
    /// Boxes that count for an identity (``WorkBox``): what waits may be one, ever after revocation was on.
    static var countedBoxes: BindingFeatures { BindingFeatures(rawValue: 1 << 14) }
    /// Nothing is taken that is there for speed alone (``IdentityRuntime/usesFastPaths``).
    static var fastPathsOff: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_FAST_PATHS_OFF)) }
    /// Others can bind our task-local, so that the mirror does not know (``ConcurrencyRuntime``).
    static var copiedBindings: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_BINDINGS_ARE_COPIED)) }

    /// The features for which a scope has to keep a frame.
    static var inScopes: BindingFeatures {
        [.ownLevels, .provenance, .companions, .budgets, .runningWork, .strictness, .revocation, .fastPathsOff]
    }
    /// The features for which a capture notes the hop.
    static var inHops: BindingFeatures { [.provenance, .runningWork, .sentinel, .strictness] }
    /// The features for which a capture takes more than the thread level, in a frame.
    static var inFrames: BindingFeatures { inHops.union([.companions, .budgets, .revocation]) }
    /// The features that leave ``Route/plain``; where the mirror is not asked either, C asks Swift.
    static var beyondPlain: BindingFeatures { inFrames.union([.counters, .countedBoxes, .inference, .fastPathsOff]) }
    static var askedByC: BindingFeatures { beyondPlain.union(.copiedBindings) }
    /// The features that leave ``Route/production`` too.
    static var beyondProduction: BindingFeatures {
        [.strictness, .budgets, .sentinel, .inference, .fastPathsOff, .copiedBindings]
    }

    static var inUse: BindingFeatures { BindingFeatures(rawValue: mi_frame_features_load()) }
    static func insert(_ features: BindingFeatures) { mi_frame_features_insert(features.rawValue) }
    static func set(_ features: BindingFeatures, to isOn: Bool) {
        if isOn { insert(features) } else { mi_frame_features_remove(features.rawValue) }
    }
}

/// The route that captures and restores take: the one question of every hop.
enum Route {
    /// Nothing goes along but the identity.
    case plain
    /// What a server leaves on: revocation, counters, provenance, running work and companions, all in the frame that is bound.
    case production
    /// All else, one step after another: strict mode, budgets, the sentinel, marked inferences, no fast paths.
    case full

    static var here: Route { Route(of: .inUse) }

    init(of features: BindingFeatures) {
        if features.isDisjoint(with: .beyondPlain) {
            self = .plain
        } else {
            self = features.isDisjoint(with: .beyondProduction) ? .production : .full
        }
    }
}
