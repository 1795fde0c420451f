/// The settings of leases.
public struct LeaseSettings: Sendable {
    /// Decides what happens to work that has no identity.
    public enum WithoutIdentity: Hashable, Sendable {
        /// Refused, with ``LeaseError`` and its code `.noIdentity`.
        case refused
        /// Leased for nobody: nobody is bound.
        case asNobody
    }

    /// The times at which a resource that comes back is asked whether it is clean.
    public enum Verification: Hashable, Sendable {
        /// Each time.
        case always
        /// At every so many leases of each resource; less than 1 is taken for 1.
        case every(Int)
        /// Never, unless something was rolled back or thrown in the lease.
        case never
    }

    /// The treatment of a resource after work threw in its lease.
    public enum AfterError: Hashable, Sendable {
        /// It is closed: what state the error left it in, nobody knows.
        case closed
        /// It is cleared, and verified whatever the setting.
        case cleared
    }

    /// Decides what happens to work that has no identity; it is refused by default.
    public var withoutIdentity = WithoutIdentity.refused
    /// The times at which a resource that comes back is verified; always at first.
    public var verification = Verification.always
    /// The treatment of a resource after work threw in its lease; closed at first.
    public var afterError = AfterError.closed
    /// True if a use after the lease's end stops a program in which this package was built for debugging; elsewhere it throws.
    public var trapsOnLateUse = true
    /// The longest time that a lease may last, or `nil` for as long as it takes; what runs on the resource then is interrupted,
    /// and the resource closed.
    public var maxDuration: Duration?
    /// Called for each resource that is closed rather than returned, by its holder.
    public var onClosing: (@Sendable (LeaseClosing) -> Void)?

    /// The settings that are safest: refused without an identity, always verified, closed after an error.
    public init() {}
}
