import CMultiIdentity

/// The features in use in this process; an unused feature costs one load and one branch.
///
/// It is computed and not stored: Swift would check at every hop whether a stored property is initialized.
package struct BindingFeatures: OptionSet {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Custom levels.
    static var ownLevels: BindingFeatures { BindingFeatures(rawValue: 1 << 0) }
    /// Records where scopes are opened, and the hops that work takes.
    package static var provenance: BindingFeatures { BindingFeatures(rawValue: 1 << 1) }
    /// Other task-local values that cross boundaries with the identity.
    static var companions: BindingFeatures { BindingFeatures(rawValue: 1 << 2) }
    static var budgets: BindingFeatures { BindingFeatures(rawValue: 1 << 3) }
    package static var counters: BindingFeatures { BindingFeatures(rawValue: 1 << 4) }
    static var sentinel: BindingFeatures { BindingFeatures(rawValue: 1 << 5) }
    package static var runningWork: BindingFeatures { BindingFeatures(rawValue: 1 << 6) }
    static var strictness: BindingFeatures { BindingFeatures(rawValue: 1 << 7) }
    /// Revocation: tracks the revoked names, and counts the work in flight of each name.
    static var revocation: BindingFeatures { BindingFeatures(rawValue: 1 << 9) }
    /// Marks what automatic mode captures as inferred; such an identity decides nothing (``IdentityInference``).
    static var inference: BindingFeatures { BindingFeatures(rawValue: 1 << 12) }
    static var inferencesOnlyShown: BindingFeatures { BindingFeatures(rawValue: 1 << 13) }
    /// Boxes that count for an identity (``WorkBox``): once revocation has been on, any waiting box may be one.
    static var countedBoxes: BindingFeatures { BindingFeatures(rawValue: 1 << 14) }
    /// Charges the processor's time to the identity whose work runs (``IdentityAccounting``).
    package static var accounts: BindingFeatures { BindingFeatures(rawValue: 1 << 16) }
    /// Shows profilers whose work each thread runs (``ThreadContext``).
    static var threadContext: BindingFeatures { BindingFeatures(rawValue: 1 << 17) }
    /// Trees of work with limits exist (``WorkLimits``).
    static var limits: BindingFeatures { BindingFeatures(rawValue: 1 << 18) }
    /// Lists the plain hops that automatic mode carries, and whether work behind them reads the identity (``ListedHops``).
    package static var plainHops: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_HOPS_ARE_LISTED)) }
    /// Turns off everything that exists for speed alone (``IdentityRuntime/usesFastPaths``).
    static var fastPathsOff: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_FAST_PATHS_OFF)) }
    /// Other code can bind our task-local without the mirror's knowledge (``ConcurrencyRuntime``).
    static var copiedBindings: BindingFeatures { BindingFeatures(rawValue: UInt32(MI_BINDINGS_ARE_COPIED)) }

    /// The features that do something before and after each piece of work.
    static var inWatches: BindingFeatures { [.runningWork, .accounts, .threadContext] }
    /// The features that tell whose run of a task it is (``TaskRun``).
    package static var inTaskRuns: BindingFeatures { [.accounts, .threadContext, .limits] }
    /// The features that note a read of the identity where none is bound.
    static var inUnboundReads: BindingFeatures { [.strictness, .plainHops] }
    /// The features that require a scope to do more than bind.
    static var inScopes: BindingFeatures {
        [
            .ownLevels, .provenance, .companions, .budgets, .runningWork, .strictness, .revocation, .accounts,
            .threadContext, .limits, .fastPathsOff,
        ]
    }
    /// The features that require a capture to record the hop.
    static var inHops: BindingFeatures { [.provenance, .runningWork, .sentinel, .strictness] }
    /// The features that require a capture to take more than the thread level, in a frame.
    static var inFrames: BindingFeatures { inHops.union([.companions, .budgets, .revocation]) }
    /// The features that rule out ``Route/plain``; if the mirror is not used either, C asks Swift.
    static var beyondPlain: BindingFeatures {
        inFrames.union([.counters, .accounts, .countedBoxes, .inference, .plainHops, .limits, .fastPathsOff])
    }
    static var askedByC: BindingFeatures { beyondPlain.union([.threadContext, .copiedBindings]) }
    /// The features that also rule out ``Route/production``.
    static var beyondProduction: BindingFeatures {
        [.strictness, .budgets, .sentinel, .inference, .plainHops, .limits, .fastPathsOff, .copiedBindings]
    }

    package static var inUse: BindingFeatures { BindingFeatures(rawValue: mi_frame_features_load()) }
    static func insert(_ features: BindingFeatures) { mi_frame_features_insert(features.rawValue) }
    package static func set(_ features: BindingFeatures, to isOn: Bool) {
        if isOn { insert(features) } else { mi_frame_features_remove(features.rawValue) }
    }
}

/// The route of captures and restores: every hop makes this one decision.
enum Route {
    /// Carries the identity alone.
    case plain
    /// Carries what a server leaves on: revocation, counters, accounts, the thread context, provenance, running work and companions.
    case production
    /// Carries everything else, one step after another: strict mode, budgets, limits, the sentinel, marked inferences, no fast paths.
    case full

    static var here: Route { Route(of: .inUse) }
    /// Returns whether work, too, is only bound, and not shown to profilers, for which a capture has nothing to do.
    static var isPlainForWork: Bool { BindingFeatures.inUse.isDisjoint(with: .beyondPlain.union(.threadContext)) }

    init(of features: BindingFeatures) {
        if features.isDisjoint(with: .beyondPlain) {
            self = .plain
        } else {
            self = features.isDisjoint(with: .beyondProduction) ? .production : .full
        }
    }
}
