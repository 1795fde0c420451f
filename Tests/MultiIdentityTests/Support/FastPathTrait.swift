import CMultiIdentity
import Testing

@testable import MultiIdentity

extension Trait where Self == ConditionTrait {
    /// For what looks at a path that is there for speed alone: not where those are off.
    static var aboutFastPaths: Self {
        .enabled(if: !mi_trials_fail(), "MULTI_IDENTITY_FAST_PATHS is off, or untried: there is nothing to look at.")
    }

    /// The same for what looks at the mirror: not where others can bind past it either.
    static var aboutTheMirror: Self {
        .enabled(
            if: IdentityRuntime.usesFastPaths && !ConcurrencyRuntime.here.copiesBindings,
            "The mirror is not asked here: there is nothing to look at."
        )
    }

    /// The same for what looks at bindings that last: only where the runtime lets them.
    static var aboutLastingBindings: Self {
        .enabled(
            if: !mi_trials_fail() && ConcurrencyRuntime.here.letsBindingsLast,
            "No binding lasts here: there is nothing to look at."
        )
    }
}
