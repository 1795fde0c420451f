public import Dispatch

/// A view of the main queue that runs work on the main actor, as the identity that handed it over.
///
/// Its methods have the parameters of `DispatchQueue`'s. Work is released together with the identity as soon as it has run.
///
/// It is a separate type, for closures on the main actor; if an API takes an ``IdentityQueue``, pass
/// `DispatchQueue.main.propagatingIdentity`.
///
/// ```swift
/// IdentityQueue.main.async { model.refresh() }  // on the main actor, as the identity bound here
/// ```
public struct IdentityMainQueue: Sendable {
    private static let main = IdentityQueue(wrapping: .main)
    private var queue: IdentityQueue { Self.main }

    init() {}

    /// The plain queue, for APIs that need one.
    ///
    /// Work that is submitted to it directly carries no identity.
    public var base: DispatchQueue { queue.base }

    /// The label of the main queue.
    public var label: String { base.label }

    /// The quality of service of the main queue.
    public var qos: DispatchQoS { base.qos }

    /// Returns the value for a key on the main queue.
    public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { base.getSpecific(key: key) }

    /// Sets a value for a key on the main queue.
    public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {
        base.setSpecific(key: key, value: value)
    }

    /// Captured when dispatched: runs `work` on the main actor as the identity bound at the call.
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @MainActor @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let work = Self.isolatedByItself(work)
        queue.async(group: group, qos: qos, flags: flags, execute: work, fileID: fileID, line: line)
    }

    /// Captured when dispatched: runs `work` on the main actor at or after `deadline`, as the identity bound at the call.
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @MainActor @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let work = Self.isolatedByItself(work)
        queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work, fileID: fileID, line: line)
    }

    /// Captured when dispatched: runs `work` on the main actor at or after `wallDeadline`, as the identity bound at the
    /// call.
    public func asyncAfter(
        wallDeadline: DispatchWallTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @MainActor @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let work = Self.isolatedByItself(work)
        queue.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: work, fileID: fileID, line: line)
    }

    /// Captured when dispatched: runs `work` on the main actor as the identity bound at the call, and waits for it.
    ///
    /// A call from main code would deadlock: libdispatch stops the program, as for the plain main queue.
    ///
    /// - Parameters:
    ///   - flags: The flags of the work.
    ///   - work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The error that `work` throws, with its type.
    public func sync<Value: Sendable, Failure: Error>(
        flags: DispatchWorkItemFlags = [],
        execute work: @MainActor () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = queue.sync(flags: flags) {
            MainActor.assumeIsolated { Result { () throws(Failure) -> Value in try work() } }
        }
        return try result.get()
    }

    /// Captured when the item was created: runs a work item on the main queue.
    public func async(execute workItem: DispatchWorkItem) { queue.async(execute: workItem) }

    /// Captured when the item was created: runs a work item on the main queue, and counts it for a group.
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        queue.async(group: group, execute: workItem)
    }

    /// Captured when the item was created: runs a work item on the main queue at or after `deadline`.
    public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        queue.asyncAfter(deadline: deadline, execute: workItem)
    }

    /// Captured when the item was created: runs a work item on the main queue at or after `wallDeadline`.
    public func asyncAfter(wallDeadline: DispatchWallTime, execute workItem: DispatchWorkItem) {
        queue.asyncAfter(wallDeadline: wallDeadline, execute: workItem)
    }

    /// Captured when the item was created: runs a work item on the main queue, and waits for it.
    public func sync(execute workItem: DispatchWorkItem) { queue.sync(execute: workItem) }

    /// Returns the closure without its actor annotation: the main queue is the main actor's executor, so its work is on the main actor.
    ///
    /// A cast without a closure around it, since the two types differ only in the annotation (as in
    /// `MainActor.assumeIsolated`): it saves an allocation and a check.
    private static func isolatedByItself(_ work: @escaping @MainActor @Sendable () -> Void) -> @Sendable () -> Void {
        unsafeBitCast(work, to: (@Sendable () -> Void).self)
    }
}
