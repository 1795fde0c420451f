import MultiIdentity
import Testing

extension Trait where Self == ConditionTrait {
    /// For what looks at a path that is there for speed alone: not where those are off.
    static var aboutFastPaths: Self {
        .enabled(if: IdentityRuntime.usesFastPaths, "MULTI_IDENTITY_FAST_PATHS is off: there is nothing to look at.")
    }
}
