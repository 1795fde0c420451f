import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation

/// The way in which the server keeps its user: the example is the first case, the others are there to compare it with.
///
/// The routes are the same in all three. What differs are the declarations below, the middleware, and what
/// ``Caller/name`` asks.
public enum IdentityKeeping: String, Sendable, CaseIterable {
    /// By swift-multi-identity.
    case carried
    /// The wrong way that is often written by hand: plain queues, and a thread-local that the middleware sets.
    case unsafePlainDispatch
    /// Not at all: plain queues, and the user passed as an argument to whatever asks for it.
    case withoutIdentity

    /// Makes a queue on which work knows its user, as far as this way of keeping goes.
    ///
    /// - Parameters:
    ///   - label: The queue's label.
    ///   - attributes: Whether it is concurrent.
    /// - Returns: The queue.
    func queue(label: String, attributes: DispatchQueue.Attributes = []) -> any WorkQueue {
        switch self {
        case .carried: IdentityQueue(label: label, attributes: attributes)
        case .unsafePlainDispatch, .withoutIdentity: DispatchQueue(label: label, attributes: attributes)
        }
    }

    /// Makes an operation that knows its user, as far as this way of keeping goes, whatever makes it ready.
    ///
    /// - Parameter work: The work.
    /// - Returns: The operation, to be added to a queue.
    func operation(_ work: @escaping @Sendable () -> Void) -> BlockOperation {
        switch self {
        case .carried: BlockOperation.propagatingIdentity(block: work)
        case .unsafePlainDispatch, .withoutIdentity: BlockOperation(block: work)
        }
    }

    /// Work that is kept for later, and then run by somebody else's task, as this way of keeping does it.
    ///
    /// - Parameter work: The work.
    /// - Returns: The same, run as the captured identity.
    func kept(_ work: @escaping @Sendable () async -> Void) -> @Sendable () async -> Void {
        switch self {
        case .carried: IdentitySnapshot.capture().wrap(work)
        case .unsafePlainDispatch, .withoutIdentity: work
        }
    }
}
