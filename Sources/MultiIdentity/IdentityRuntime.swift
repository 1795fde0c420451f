import CMultiIdentity

/// The runtime that this package is.
public enum IdentityRuntime: Sendable {
    /// The version of this package, as Semantic Versioning 2.0.0 writes it.
    public static let version = "0.1.0"

    /// Indicates whether work is carried by the paths that are there for speed alone; `false` in a process started with
    /// `MULTI_IDENTITY_FAST_PATHS=off` in its environment.
    ///
    /// Both ways keep the same rules, and pass the same tests. Off, what is known of the inside of Swift's runtime and of
    /// libdispatch is not used: each scope pushes a binding, reads ask the task-local, and Dispatch is handed closures.
    /// `async` costs 1.29 of the handwritten pattern then (callgrind), where it usually costs 0.43. To tell whether a fault
    /// is in these paths, turn them off.
    public static var usesFastPaths: Bool { !mi_fast_paths_are_off() }
}
