import CMultiIdentity
import Testing

@testable import MultiIdentity

extension Trait where Self == ConditionTrait {
    /// For tests of a path that exists for speed alone: disabled if those are off.
    static var aboutFastPaths: Self {
        .enabled(if: !mi_trials_fail(), "MULTI_IDENTITY_FAST_PATHS is off, or untried: there is nothing to look at.")
    }

    /// For tests of the mirror: also disabled if other code can bind without it.
    static var aboutTheMirror: Self {
        .enabled(
            if: IdentityRuntime.usesFastPaths && !ConcurrencyRuntime.here.copiesBindings,
            "The mirror is not asked here: there is nothing to look at."
        )
    }

    /// For tests of lasting bindings: enabled only if the runtime allows them.
    static var aboutLastingBindings: Self {
        .enabled(
            if: !mi_trials_fail() && ConcurrencyRuntime.here.letsBindingsLast,
            "No binding lasts here: there is nothing to look at."
        )
    }
}
