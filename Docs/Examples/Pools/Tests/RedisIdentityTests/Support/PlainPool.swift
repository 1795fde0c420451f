import Synchronization

@testable import RedisIdentity

/// A pool as it was published: a connection is put back whatever became of the request on it.
final class PlainPool: Sendable {
    private let open: @Sendable () async throws -> RedisConnection
    private let free = Mutex<[RedisConnection]>([])

    init(open: @escaping @Sendable () async throws -> RedisConnection) { self.open = open }

    func withConnection<Value>(_ work: (RedisConnection) async throws -> Value) async throws -> Value {
        let connection: RedisConnection
        if let free = free.withLock({ $0.popLast() }) { connection = free } else { connection = try await open() }
        defer { free.withLock { $0.append(connection) } }
        return try await work(connection)
    }

    func close() { for connection in free.withLock({ $0 }) { connection.close() } }
}

extension RedisConnection {
    /// A request as it was published: written, then read, and nobody sees to it where that ends in between.
    func carelessly(_ command: String...) async throws -> RedisValue {
        try write([command])
        return try await nextAnswer()
    }
}
