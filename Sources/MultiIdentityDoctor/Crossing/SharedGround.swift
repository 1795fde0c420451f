public import Dispatch
public import Foundation
public import MultiIdentity

/// Queues and files that many crossings share; for what is `nil` a row makes one of its own.
@_spi(Catalogue) public struct SharedGround: Sendable {
    /// The queue that carries, over the crossing's.
    public var queue: IdentityQueue?
    /// The group that work counts for.
    public var group: DispatchGroup?
    /// The centre of notifications.
    public var center: NotificationCenter?
    /// The operation queue, which carries where the crossing does.
    public var operations: OperationQueue?
    /// The channel with random access to a file of a few bytes.
    public var channel: DispatchIO?
    /// The reading end of a pipe that always has a byte to read, and what keeps it open.
    public var readable: (end: Int32, owner: any Sendable)?

    /// Nothing that is shared.
    public init() {}
}
