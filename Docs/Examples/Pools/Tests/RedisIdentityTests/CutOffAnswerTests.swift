import MultiIdentity
import MultiIdentityLease
import Testing

@testable import RedisIdentity

/// An answer that was on its way when its request was cancelled came to the next user of the connection: a chat service showed
/// other users' titles so, through a pool of the client `redis-py` (2023-03-20).
@Suite("An answer that a cancelled request left behind", .serialized) struct CutOffAnswerTests {
    /// Asks, and is cancelled before the answer is there.
    static func cutOff(_ connection: RedisConnection, _ key: String) async throws {
        try connection.write([["GET", key]])
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await connection.nextAnswer()
    }

    @Test("comes to the next user of a plain pool, as published")
    func leaks() async throws {
        let server = try await RedisServer(tenants: 2)
        defer { server.stop() }
        let pool = PlainPool { try await server.everything() }
        defer { pool.close() }
        let (ada, bob) = ("\(server.tenants[0]):7", "\(server.tenants[1]):7")
        let cancelled = Task { try await pool.withConnection { try await Self.cutOff($0, ada) } }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let seen = try await pool.withConnection { try await $0.carelessly("GET", bob) }
        #expect(seen.text == RedisServer.value(of: ada))
    }

    /// The ways in which a request can be cut off inside a lease.
    enum Way: CaseIterable {
        /// The lessee is cancelled, with a client that does not see to it.
        case lessee
        /// A child task that has a reference is, and the lessee goes on as if nothing had been.
        case child
        /// A child task that was given the connection itself is.
        case behindItsBack
    }

    @Test("never comes to the next lessee", arguments: Way.allCases)
    func isKept(_ way: Way) async throws {
        let server = try await RedisServer(tenants: 2)
        defer { server.stop() }
        let closings = Closings()
        let (_, leases) = RedisLeases.make(port: server.port, limits: 1, settings: closings.settings) {
            server.user($0.name)
        }
        let (ada, bob) = (try Identity(server.tenants[0]), try Identity(server.tenants[1]))
        let first = Task {
            try await withIdentity(ada) {
                try await leases.withLease { lease in
                    let number = try lease.use { $0.number }
                    switch way {
                    case .lessee: try? await lease.use { try await Self.cutOff($0, "\(ada.name):7") }
                    case .child:
                        let reference = lease.reference
                        let child = Task { try await reference.use { try await Self.cutOff($0, "\(ada.name):7") } }
                        _ = await child.result
                    case .behindItsBack:
                        let connection = try lease.use { $0 }
                        let child = Task { try await Self.cutOff(connection, "\(ada.name):7") }
                        _ = await child.result
                    }
                    return number
                }
            }
        }
        let number = try await first.value
        let (next, seen) = try await withIdentity(bob) {
            try await leases.withLease { lease in
                try await lease.use { ($0.number, try await $0.send("GET", "\(bob.name):7")) }
            }
        }
        #expect(seen.text == RedisServer.value(of: "\(bob.name):7"))
        #expect(next != number)
        #expect(closings.all == [way == .behindItsBack ? .clearingFailed : .cancelled])
    }

    @Test("closes a connection where its own client sees to it, lease or not")
    func isClosedByTheClient() async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        let connection = try await server.everything()
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await connection.send("GET", "\(server.tenants[0]):7")
        }
        await #expect(throws: CancellationError.self) { try await request.value }
        await #expect(throws: RedisError.self) { try await connection.send("ACL", "WHOAMI") }
    }
}
