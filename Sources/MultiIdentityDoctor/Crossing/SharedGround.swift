public import Dispatch
public import Foundation
public import MultiIdentity

/// Queues and files that many crossings share; for each `nil`, a crossing makes its own.
@_spi(Catalogue) public struct SharedGround: Sendable {
    /// The carrying queue, over the crossing's.
    public var queue: IdentityQueue?
    /// The group of the work.
    public var group: DispatchGroup?
    /// The notification center.
    public var center: NotificationCenter?
    /// The operation queue, which carries if the crossing does.
    public var operations: OperationQueue?
    /// The random-access channel to a file of a few bytes.
    public var channel: DispatchIO?
    /// The read end of a pipe that always has a byte to read, and the owner that keeps it open.
    public var readable: (end: Int32, owner: any Sendable)?

    /// Creates an empty set: nothing is shared.
    public init() {}
}
