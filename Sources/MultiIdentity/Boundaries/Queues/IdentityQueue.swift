public import Dispatch

/// A dispatch queue that runs work as the identity that handed it over.
///
/// It has the initialisers and methods of `DispatchQueue`: change the declaration, and no call on the queue changes.
/// Each method captures the thread identity when it is called; the worker takes it on, runs the work, and then has its
/// own back. Nothing else differs: order, QoS, flags, groups, barriers, errors, targets and suspension are the queue's.
///
/// ```swift
/// let queue = IdentityQueue(label: "mail")
/// withIdentity(ada) {
///     queue.async { send(draft) }  // runs as ada, on whatever thread
/// }
/// ```
///
/// A queue that was made elsewhere carries through the same type: ``init(wrapping:)``, or
/// `someQueue.propagatingIdentity`. Like `DispatchQueue`, it can be used from any thread.
public struct IdentityQueue: Sendable {
    /// The queue itself, for what wants a plain one: `DispatchSource.makeTimerSource(queue:)`, `underlyingQueue` of an
    /// operation queue, `target:` of a plain queue, a plain group's `notify(queue:)`.
    ///
    /// What is handed to it directly carries nothing; what order it has, a queue that drains ``Draining/inBatches`` says.
    public let base: DispatchQueue

    let route: QueueRoute

    /// Carries over a queue that was made elsewhere.
    ///
    /// - Parameter queue: The queue; it keeps all its properties.
    public init(wrapping queue: DispatchQueue) {
        self.init(wrapping: queue, handle: QueueHandle(of: queue))
    }

    /// Lets tests take the handle away.
    init(wrapping queue: DispatchQueue, handle: QueueHandle?) {
        base = queue
        route = handle.map(QueueRoute.handle) ?? .closures
    }

    /// Lets tests take the handle away.
    init(inBatches queue: DispatchQueue, target: DispatchQueue?, handle: QueueHandle?) {
        base = queue
        route = .batches(WorkInBatches(of: queue, target: target, handle: handle))
    }

    /// A new queue.
    ///
    /// - Parameters:
    ///   - label: For debuggers, and for ``label``.
    ///   - qos: The quality of service of the queue's work.
    ///   - attributes: Whether the queue is concurrent, and whether it starts inactive.
    ///   - autoreleaseFrequency: When the queue drains autoreleased objects (Apple platforms).
    ///   - target: The queue on which this one's work runs, or `nil` for the system's choice.
    ///   - draining: How the work gets run; ``Draining/inBatches`` for a serial queue that many small pieces go through.
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
        if draining == .inBatches, !attributes.contains(.concurrent) {
            self.init(inBatches: queue, target: target, handle: QueueHandle(of: queue))
        } else {
            self.init(wrapping: queue)
        }
    }

    /// A new queue that runs its work on another identity queue.
    ///
    /// - Parameters:
    ///   - label: For debuggers, and for ``label``.
    ///   - qos: The quality of service of the queue's work.
    ///   - attributes: Whether the queue is concurrent, and whether it starts inactive.
    ///   - autoreleaseFrequency: When the queue drains autoreleased objects (Apple platforms).
    ///   - target: The queue on which this one's work runs.
    ///   - draining: How the work gets run.
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

    /// A queue of the system's, shared by the whole process.
    ///
    /// - Parameter qos: The quality of service.
    /// - Returns: The queue.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> IdentityQueue {
        IdentityQueue(wrapping: .global(qos: qos))
    }
}

extension DispatchQueue {
    /// A view of this queue with methods that carry identity: each captures when it is called.
    public var propagatingIdentity: IdentityQueue { IdentityQueue(wrapping: self) }
}
