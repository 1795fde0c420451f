/// The settings of leases.
public struct LeaseSettings: Sendable {
    /// Decides what happens to work without an identity.
    public enum WithoutIdentity: Hashable, Sendable {
        /// The lease is refused: it throws ``LeaseError`` with `.noIdentity`.
        case refused
        /// The lease is for nobody: `.nobody` is bound.
        case asNobody
    }

    /// Decides when a returned resource is verified to be clean.
    public enum Verification: Hashable, Sendable {
        /// After each lease.
        case always
        /// After every *n*th lease of each resource; values below 1 count as 1.
        case every(Int)
        /// Never, except after a rollback or an error in the lease.
        case never
    }

    /// Decides what happens to a resource after work threw in its lease.
    public enum AfterError: Hashable, Sendable {
        /// The resource is closed, since the error may have left it in any state.
        case closed
        /// The resource is cleared, and verified whatever the setting.
        case cleared
    }

    /// Decides what happens to work without an identity; the default is to refuse it.
    public var withoutIdentity = WithoutIdentity.refused
    /// Decides when a returned resource is verified; the default is always.
    public var verification = Verification.always
    /// Decides what happens to a resource after work threw in its lease; the default is to close it.
    public var afterError = AfterError.closed
    /// Indicates whether a use after the lease's end stops a debug build of this package; a release build throws.
    public var trapsOnLateUse = true
    /// The maximum duration of a lease; `nil` is no limit.
    ///
    /// When it has passed, the operation on the resource is interrupted, and the resource is closed.
    public var maxDuration: Duration?
    /// Called by the lessee's task or thread for each resource that is closed instead of returned.
    public var onClosing: (@Sendable (LeaseClosing) -> Void)?

    /// Creates the safest settings: refused without an identity, always verified, closed after an error.
    public init() {}
}
