public import Foundation
import MultiIdentity

extension Progress {
    /// A view of this progress with handlers that carry identity: each is captured when set.
    public var propagatingIdentity: PropagatingProgress { PropagatingProgress(base: self) }
}

extension IdentityBoundary {
    static let progress = IdentityBoundary("progress")
}

/// A view of a progress whose handlers carry identity.
///
/// ```swift
/// progress.propagatingIdentity.cancellationHandler = { discard(upload) }  // as the identity bound here, no matter who cancels
/// ```
public struct PropagatingProgress: Sendable {
    /// The progress itself; a handler that is set on it directly carries no identity.
    public let base: Progress

    /// Captured when set: the handler runs when the progress is cancelled, as the identity bound here.
    public var cancellationHandler: (@Sendable () -> Void)? {
        get { base.cancellationHandler }
        nonmutating set { base.cancellationHandler = newValue.map { carrying($0, "cancellation") } }
    }

    /// Captured when set: the handler runs when the progress is paused, as the identity bound here.
    public var pausingHandler: (@Sendable () -> Void)? {
        get { base.pausingHandler }
        nonmutating set { base.pausingHandler = newValue.map { carrying($0, "pausing") } }
    }

    /// Captured when set: the handler runs when the progress is resumed, as the identity bound here.
    public var resumingHandler: (@Sendable () -> Void)? {
        get { base.resumingHandler }
        nonmutating set { base.resumingHandler = newValue.map { carrying($0, "resuming") } }
    }

    private func carrying(_ work: @escaping @Sendable () -> Void, _ place: String) -> @Sendable () -> Void {
        BoundaryCapture(at: .progress, of: place).wrap(work)
    }
}
