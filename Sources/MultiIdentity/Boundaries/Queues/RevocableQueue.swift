public import Dispatch

extension IdentityQueue {
    /// A view of this queue that drops work of an owner that was revoked before it began, and calls a handler in its place.
    public var droppingRevoked: RevocableQueue { RevocableQueue(queue: self) }
}

/// A queue on which work of a revoked identity does not run: its cancellation handler does in its place.
///
/// ```swift
/// IdentityQueue(label: "mail").droppingRevoked.async {
///     send(draft)
/// } onRevocation: { owner in
///     log("\(owner): not sent")
/// }
/// ```
///
/// The decision falls where the work would have begun, in its turn; groups are balanced either way. A waiting caller is never
/// let down: `sync` runs its work, as on any ``IdentityQueue``, and has no place here. For other boundaries there is
/// ``IdentityRevocation/dropping(_:onRevocation:)``.
public struct RevocableQueue: Sendable {
    /// The queue on which work that is not dropped runs as usual.
    public let queue: IdentityQueue

    /// Captured when dispatched: runs `work` as the identity bound at the call, or `handler` where that was revoked since.
    ///
    /// - Parameters:
    ///   - group: A group that the work counts for until it has run or was dropped.
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work.
    ///   - handler: What is called in its place, under nobody.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        onRevocation handler: @escaping @Sendable (RevokedOwner) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let work = IdentityRevocation.dropping(work, onRevocation: handler)
        queue.async(group: group, qos: qos, flags: flags, execute: work, fileID: fileID, line: line)
    }

    /// Captured when dispatched: as ``async(group:qos:flags:execute:onRevocation:fileID:line:)``, at or after a time.
    ///
    /// - Parameters:
    ///   - deadline: The time, on the clock that stops while the machine sleeps.
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work.
    ///   - handler: What is called in its place, under nobody.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        onRevocation handler: @escaping @Sendable (RevokedOwner) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let work = IdentityRevocation.dropping(work, onRevocation: handler)
        queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work, fileID: fileID, line: line)
    }

    /// Captured when called: runs `work` on the queue as the identity bound at the call, and waits for it without blocking.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws, or ``IdentityError`` with the code `.revoked` where it was dropped.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let resume: @Sendable () -> Void = { continuation.resume(with: Result { try work() }) }
            let drop: @Sendable (RevokedOwner) -> Void = { continuation.resume(throwing: IdentityError($0)) }
            async(execute: resume, onRevocation: drop, fileID: fileID, line: line)
        }
    }
}
