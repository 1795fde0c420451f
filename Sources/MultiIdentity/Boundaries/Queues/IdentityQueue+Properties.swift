public import Dispatch

// The other operations of `DispatchQueue`, forwarded unchanged.
extension IdentityQueue {
    /// The label that the queue was made with.
    public var label: String { base.label }

    /// The quality of service that the queue was made with.
    public var qos: DispatchQoS { base.qos }

    /// Starts a queue that was made inactive.
    public func activate() { base.activate() }

    /// Keeps pending work from beginning.
    public func suspend() {
        base.suspend()
        batches?.noteSuspension()
        turns?.noteSuspension()
    }

    /// Undoes one ``suspend()``.
    public func resume() {
        batches?.forgetSuspension()
        turns?.forgetSuspension()
        base.resume()
    }

    #if canImport(Darwin)
    /// Runs the queue's work on another queue.
    ///
    /// - Parameter queue: The other queue, or `nil` for the system's choice.
    public func setTarget(queue: DispatchQueue?) {
        base.setTarget(queue: queue)
        batches?.setTarget(queue)
        turns?.setTarget(queue)
    }
    #else
    /// Runs the queue's work on another queue.
    ///
    /// - Parameter queue: The other queue.
    public func setTarget(queue: DispatchQueue) {
        base.setTarget(queue: queue)
        batches?.setTarget(queue)
        turns?.setTarget(queue)
    }
    #endif

    /// Runs the queue's work on another identity queue.
    ///
    /// - Parameter queue: The other queue.
    @_disfavoredOverload  // so that `.global()` and the like still mean a plain queue
    public func setTarget(queue: IdentityQueue) { setTarget(queue: queue.base) }

    /// Returns the value for a key on this queue.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if none was set.
    public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { base.getSpecific(key: key) }

    /// Sets a value for a key on this queue.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value, or `nil` to remove it.
    public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {
        base.setSpecific(key: key, value: value)
    }

    /// Returns the value for a key on the queue that runs this work, or on its targets.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if none was set.
    public static func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? {
        DispatchQueue.getSpecific(key: key)
    }
}

extension IdentityQueue: Hashable {
    /// Returns whether both are the same queue.
    ///
    /// On Linux, where each access to `DispatchQueue.main` makes a new object, it compares libdispatch's queues.
    public static func == (one: IdentityQueue, other: IdentityQueue) -> Bool {
        if let handle = QueueHandle(of: one.base) { return handle == QueueHandle(of: other.base) }
        return one.base === other.base
    }

    /// Hashes the values that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        if let handle = QueueHandle(of: base) { hasher.combine(handle) } else { hasher.combine(ObjectIdentifier(base)) }
    }
}

// Disfavored, so that `.onQueue(.global())` and the like still mean a plain queue.
extension DispatchPredicate {
    /// A condition that is true on this queue: `dispatchPrecondition(condition: .onQueue(identityQueue))`.
    @_disfavoredOverload
    public static func onQueue(_ queue: IdentityQueue) -> DispatchPredicate { .onQueue(queue.base) }

    /// A condition that is true in a barrier on this queue.
    @_disfavoredOverload
    public static func onQueueAsBarrier(_ queue: IdentityQueue) -> DispatchPredicate { .onQueueAsBarrier(queue.base) }

    /// A condition that is true anywhere but on this queue.
    @_disfavoredOverload
    public static func notOnQueue(_ queue: IdentityQueue) -> DispatchPredicate { .notOnQueue(queue.base) }
}
