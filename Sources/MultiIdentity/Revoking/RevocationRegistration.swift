import CMultiIdentity

/// A handler that waits for an identity to be revoked, until the registration is cancelled or released.
public final class RevocationRegistration: Sendable {
    private typealias Ticket = UInt64

    /// A thread that calls the handlers of an identity; its address is only compared.
    private struct Caller: Hashable {
        let identity: Identity
        let thread = UInt(bitPattern: mi_thread_current())
    }

    private struct Handler {
        let call: @Sendable () -> Void
        /// The revocation in whose handler it was registered: only a later revocation calls it.
        let registeredIn: WorkTally.Revocation?
    }

    private struct State {
        var next: Ticket = 0
        var handlers: [Identity: [Ticket: Handler]] = [:]
        /// The revocations whose handlers each caller is calling, the innermost last.
        var callers: [Caller: [WorkTally.Revocation]] = [:]
    }

    private static let state = Locked(State())

    private let identity: Identity
    private let ticket: Ticket

    /// Registers a handler; for nobody, which is never revoked, it stores none.
    init(_ identity: Identity, _ handler: (@Sendable () -> Void)?) {
        self.identity = identity
        ticket = Self.state.withLock { state in
            state.next += 1
            if let handler {
                let around = state.callers.isEmpty ? nil : state.callers[Caller(identity: identity)]?.last
                state.handlers[identity, default: [:]][state.next] = Handler(call: handler, registeredIn: around)
            }
            return state.next
        }
        // Revoked in between, or before: the first to come calls it, and the other finds nothing.
        if handler != nil, IdentityRevocation.isRevoked(identity) { _ = Self.call(for: identity) }
    }

    deinit { cancel() }

    /// Removes and releases the handler; a call in progress continues.
    public func cancel() {
        // Released outside the lock: its captures may take other locks when they are freed.
        let removed = Self.state.withLock { state in
            let removed = state.handlers[identity]?.removeValue(forKey: ticket)
            if state.handlers[identity]?.isEmpty == true { state.handlers[identity] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Calls each handler of an identity that the last revocation concerns, once, in the order of registration, and returns their number.
    static func call(for identity: Identity) -> Int {
        let caller = Caller(identity: identity)
        let taken = state.withLock { state -> [Ticket: Handler] in
            let revocation = identity.spelling.record.tally.lastRevocation
            state.callers[caller, default: []].append(revocation)
            let all = state.handlers[identity] ?? [:]
            let later = all.filter { $0.value.registeredIn == revocation }
            state.handlers[identity] = later.isEmpty ? nil : later
            return later.isEmpty ? all : all.filter { $0.value.registeredIn != revocation }
        }
        defer {
            state.withLock { state in
                let left = state.callers[caller]?.dropLast() ?? []
                state.callers[caller] = left.isEmpty ? nil : Array(left)
            }
        }
        for (_, handler) in taken.sorted(by: { $0.key < $1.key }) { handler.call() }
        return taken.count
    }
}

extension IdentityRevocation {
    /// Captured when registered: calls `handler` once, when an identity is revoked; at once if it already is.
    ///
    /// Use it to cut short work in flight: to cancel a request, or to close a connection. It runs on the revoking thread, which
    /// waits for it; if the identity itself registered it, it runs under nobody (``revokedOwner``). A handler can revoke,
    /// readmit and register others. A handler that is registered in a handler of the same identity is called by a later
    /// revocation: after a readmission, or for a stronger reason.
    ///
    /// - Parameters:
    ///   - identity: The identity to watch; for nobody, the handler is never called.
    ///   - handler: The handler; it must not wait for work of that identity.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The registration; if it is released, the handler is never called.
    public static func onRevocation(
        of identity: Identity,
        perform handler: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RevocationRegistration {
        if identity.isNobody { return RevocationRegistration(identity, nil) }
        let captured = BoundaryCapture(at: .cancellationHandler, fileID, line)
        return RevocationRegistration(identity, captured.wrap(handler))
    }

    /// Captured when registered: calls `handler` once, with the error for refused work, when an identity is revoked; at once if
    /// it already is.
    ///
    /// - Parameters:
    ///   - identity: The identity to watch; for nobody, the handler is never called.
    ///   - handler: The handler; it gets the error with which new work of that identity is refused.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The registration; if it is released, the handler is never called.
    public static func onRevocation(
        of identity: Identity,
        perform handler: @escaping @Sendable (IdentityError) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RevocationRegistration {
        let refused: @Sendable () -> Void = { handler(IdentityError(RevokedOwner(of: identity))) }
        return onRevocation(of: identity, perform: refused, fileID: fileID, line: line)
    }

    /// Captured when called: runs `operation` as the identity bound here, in a task that a revocation of that identity cancels.
    ///
    /// - Parameter operation: The work; it detects its cancellation like any task.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws, such as `CancellationError`.
    public static func cancelling<Value: Sendable>(
        _ operation: sending @escaping @isolated(any) () async throws -> Value
    ) async throws -> Value {
        let snapshot = IdentitySnapshot.capture()
        // It begins once a revocation can cancel it: otherwise one that comes in between would be missed.
        let (isRegistered, registered) = AsyncStream<Never>.makeStream()
        let task = Task {
            for await _ in isRegistered {}
            return try await snapshot.restore { try await operation() }
        }
        let registration = snapshot.identity.map { onRevocation(of: $0) { task.cancel() } }
        registered.finish()
        defer { registration?.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
