public import Dispatch

/// A dispatch queue that runs work as the identity that handed it over.
///
/// It has the initializers and methods of `DispatchQueue`: change the declaration, and leave the calls as they are. Each method
/// captures the thread identity when it is called; the worker binds it, runs the work, and restores its own. Nothing else
/// differs: order, QoS, flags, groups, barriers, errors, targets and suspension are those of the queue.
///
/// ```swift
/// let queue = IdentityQueue(label: "mail")
/// withIdentity(ada) {
///     queue.async { send(draft) }  // runs as ada, on any thread
/// }
/// ```
///
/// To carry identity through an existing queue, use the same type: ``init(wrapping:)``, or `someQueue.propagatingIdentity`.
/// Like `DispatchQueue`, it can be used from any thread.
public struct IdentityQueue: Sendable {
    /// The plain queue, for APIs that need one: `DispatchSource.makeTimerSource(queue:)`, `underlyingQueue` of an operation
    /// queue, `target:` of a plain queue, a plain group's `notify(queue:)`.
    ///
    /// Work that is submitted to it directly carries no identity; for its order on a queue that drains in batches see
    /// ``Draining/inBatches``.
    public let base: DispatchQueue

    let route: QueueRoute

    /// Creates an identity queue over an existing queue.
    ///
    /// - Parameter queue: The queue; its properties do not change.
    public init(wrapping queue: DispatchQueue) {
        self.init(wrapping: queue, handle: QueueHandle(of: queue))
    }

    /// Lets tests remove the handle.
    init(wrapping queue: DispatchQueue, handle: QueueHandle?) {
        base = queue
        route = handle.map(QueueRoute.handle) ?? .closures
    }

    /// Lets tests remove the handle.
    init(inBatches queue: DispatchQueue, target: DispatchQueue?, handle: QueueHandle?) {
        base = queue
        route = .batches(WorkInBatches(of: queue, target: target, handle: handle))
    }

    /// Lets tests set the clock and the width.
    init(
        fairly terms: FairTerms,
        of queue: DispatchQueue,
        target: DispatchQueue? = nil,
        isConcurrent: Bool,
        width: Int? = nil
    ) {
        base = queue
        let handle = QueueHandle(of: queue)
        route = .turns(WorkInTurns(of: queue, target: target, handle: handle, terms, isConcurrent, width: width))
    }

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: The name for debuggers, and for ``label``.
    ///   - qos: The quality of service of the queue's work.
    ///   - attributes: Whether the queue is concurrent, and whether it starts inactive.
    ///   - autoreleaseFrequency: The frequency at which the queue drains autoreleased objects (Apple platforms).
    ///   - target: The queue on which this one's work runs, or `nil` for the system's choice.
    ///   - draining: The mode in which the work runs; ``Draining/inBatches`` for a serial queue with many small pieces of work,
    ///     ``Draining/fairly(by:weights:)`` for a queue that many users share.
    public init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil,
        draining: Draining = .oneByOne
    ) {
        let queue = DispatchQueue(
            label: label,
            qos: qos,
            attributes: attributes,
            autoreleaseFrequency: autoreleaseFrequency,
            target: target
        )
        if let terms = draining.terms {
            self.init(fairly: terms, of: queue, target: target, isConcurrent: attributes.contains(.concurrent))
        } else if draining == .inBatches, !attributes.contains(.concurrent) {
            self.init(inBatches: queue, target: target, handle: QueueHandle(of: queue))
        } else {
            self.init(wrapping: queue)
        }
    }

    /// Creates a queue that runs its work on another identity queue.
    ///
    /// - Parameters:
    ///   - label: The name for debuggers, and for ``label``.
    ///   - qos: The quality of service of the queue's work.
    ///   - attributes: Whether the queue is concurrent, and whether it starts inactive.
    ///   - autoreleaseFrequency: The frequency at which the queue drains autoreleased objects (Apple platforms).
    ///   - target: The queue on which this one's work runs.
    ///   - draining: The mode in which the work runs.
    public init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit,
        target: IdentityQueue,
        draining: Draining = .oneByOne
    ) {
        self.init(
            label: label,
            qos: qos,
            attributes: attributes,
            autoreleaseFrequency: autoreleaseFrequency,
            target: target.base,
            draining: draining
        )
    }

    /// The attributes of a queue: whether it is concurrent, and whether it starts inactive.
    public typealias Attributes = DispatchQueue.Attributes
    /// The frequency at which a queue drains autoreleased objects.
    public typealias AutoreleaseFrequency = DispatchQueue.AutoreleaseFrequency

    /// The main queue.
    public static var main: IdentityMainQueue { IdentityMainQueue() }

    /// Returns a global queue, which the whole process shares.
    ///
    /// - Parameter qos: The quality of service.
    /// - Returns: The queue.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> IdentityQueue {
        IdentityQueue(wrapping: .global(qos: qos))
    }
}

extension DispatchQueue {
    /// A view of this queue with methods that carry identity: each captures it when called.
    public var propagatingIdentity: IdentityQueue { IdentityQueue(wrapping: self) }
}
