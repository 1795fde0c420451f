import CMultiIdentity

/// Facts about this package at run time.
public enum IdentityRuntime: Sendable {
    /// The version of this package, in the format of Semantic Versioning 2.0.0.
    public static let version = "0.1.0"

    /// Indicates whether work is carried by the paths that exist for speed alone; `false` in a process started with
    /// `MULTI_IDENTITY_FAST_PATHS=off` in its environment.
    ///
    /// Both variants follow the same rules and pass the same tests. With `off`, nothing relies on the internals of Swift's
    /// runtime and of libdispatch: each scope pushes a binding, reads go to the task-local, and Dispatch gets closures. `async`
    /// then takes 1.29 times the instructions of the handwritten pattern (callgrind), instead of 0.43. Turn the paths off to see
    /// whether they cause a fault.
    public static var usesFastPaths: Bool { !mi_fast_paths_are_off() }
}
