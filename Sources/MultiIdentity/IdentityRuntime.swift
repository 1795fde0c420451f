/// The runtime that this package is.
public enum IdentityRuntime: Sendable {
    /// The version of this package, as Semantic Versioning 2.0.0 writes it.
    public static let version = "0.1.0"
}
