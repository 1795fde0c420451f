import MultiIdentity
import Synchronization

/// A pool of one connection, which is bound to whoever is current when it is taken, and comes back clean or not at all.
final class BoundPool: Sendable {
    private let idle: Mutex<[ModelConnection]>
    private let bind: @Sendable (ModelConnection, Identity) -> Void
    private let clear: @Sendable (ModelConnection) -> Void

    /// - Parameters:
    ///   - bind: Puts an identity on a connection.
    ///   - clear: Takes it off, where that can be done.
    init(
        bind: @escaping @Sendable (ModelConnection, Identity) -> Void = { $0.session = $1 },
        clear: @escaping @Sendable (ModelConnection) -> Void = { $0.session = nil }
    ) {
        idle = Mutex([ModelConnection()])
        self.bind = bind
        self.clear = clear
    }

    /// Runs `work` with a connection; where it throws, or the connection is not clean afterwards, that one is closed.
    func with<Value>(
        _ work: nonisolated(nonsending) (ModelConnection) async throws -> Value
    ) async throws -> Value {
        let connection = idle.withLock { $0.popLast() } ?? ModelConnection()
        bind(connection, Identity.current ?? .nobody)
        let value = try await work(connection)
        clear(connection)
        if connection.answer == nil { idle.withLock { $0.append(connection) } }
        return value
    }
}
