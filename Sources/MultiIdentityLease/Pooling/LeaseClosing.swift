public import MultiIdentity

/// A resource that was closed instead of returned to its pool, with its lessee and the reason.
public struct LeaseClosing: Hashable, Sendable {
    /// The reason why a resource was closed.
    public enum Reason: Hashable, Sendable {
        /// The lessee's task was cancelled, or a task that used a reference to the lease.
        case cancelled
        /// The work threw.
        case workThrew
        /// The lease exceeded its maximum duration.
        case exceededMaxDuration
        /// Binding the identity failed, so the resource may be half bound.
        case bindingFailed
        /// Clearing the identity failed.
        case clearingFailed
        /// Verification failed with an error.
        case verificationFailed
        /// The resource was cleared, but still has this identity.
        case notClean(Identity)
        /// The lessee was revoked.
        case revoked
        /// The resource was still in use when its lease ended.
        case inUse
        /// A transaction on the resource could not begin or end.
        case transactionFailed
    }

    /// The identity that the lease was for.
    public let lessee: Identity
    /// The reason.
    public let reason: Reason
}

extension LeaseClosing: CustomStringConvertible {
    /// The event in words, such as `a resource that ada@contoso.com leased was closed: the work threw`.
    public var description: String { "a resource that \(lessee) leased was closed: \(reason)" }
}

extension LeaseClosing.Reason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .cancelled: "a task that used it was cancelled"
        case .workThrew: "the work threw"
        case .exceededMaxDuration: "the lease lasted too long"
        case .bindingFailed: "it could not be bound"
        case .clearingFailed: "it could not be cleared"
        case .verificationFailed: "it could not be verified"
        case .notClean(let identity): "it still had the identity \(identity) after it was cleared"
        case .revoked: "the lessee was revoked"
        case .inUse: "it was still in use"
        case .transactionFailed: "a transaction could not begin or end"
        }
    }
}
