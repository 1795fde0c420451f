import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting
import PoolFindings
import Synchronization
import Testing

@testable import RedisIdentity

@Suite("The promises of a pool, of Redis", .serialized) struct RedisPromiseTests {
    /// Orders that a check gives in a synchronous closure, and that its next lease carries out.
    final class Orders: Sendable {
        private let given = Mutex<Set<String>>([])
        func give(_ order: String) { given.withLock { _ = $0.insert(order) } }
        func take(_ order: String) -> Bool { given.withLock { $0.remove(order) != nil } }
    }

    private struct Changed: Error {}

    /// A server's users are the identities of the checks, which stand in its list when they are first asked for.
    func user(_ identity: Identity, _ server: RedisServer) async throws -> RedisUser {
        let connection = try await server.everything()
        defer { connection.close() }
        let user = server.user(identity.name)
        try await connection.send("ACL", "SETUSER", user.name, "on", ">\(user.password)", "~\(user.name):*", "+@all")
        return user
    }

    /// Leases, with a server that is killed for real where a check has it die.
    func leases(_ server: RedisServer) -> PoolConformance {
        let orders = Orders()
        let (_, leases) = RedisLeases.make(port: server.port, limits: 1) { identity in
            let user = try await user(identity, server)
            if orders.take("die while binding") {
                server.kill()
                orders.give("start")
            }
            return user
        }
        let checkOut: @Sendable (@escaping PoolConformance.Work) async throws -> Void = { work in
            if orders.take("start") { try await server.start() }
            try await leases.withLease { lease in
                let connection = try lease.use { $0 }
                try await work(PoolConformance.Held(id: connection.number) { try await connection.who() })
                if orders.take("fail the reset") {
                    server.kill()
                    orders.give("start")
                }
            }
        }
        return PoolConformance("RedisLeases", checkOut: checkOut)
            .waitedFor()
            .failingReset { orders.give("fail the reset") }
            .dyingWhileBinding { orders.give("die while binding") }
            .rollingBack {
                try await leases.withLease { lease in
                    try? await lease.withTransaction {
                        try await lease.use { _ = try await $0.send("CLIENT", "SETNAME", "somebody") }
                        throw Changed()
                    }
                }
            }
    }

    /// Connections as programs pool them: each becomes the user that takes it out, and nobody takes that off.
    func plain(_ server: RedisServer) -> PoolConformance {
        let pool = PlainPool { try await RedisConnection.open(port: server.port) }
        let become: @Sendable (RedisConnection) async throws -> Void = { connection in
            guard let identity = Identity.current, !identity.isNobody else { return }
            try await connection.bind(try await user(identity, server))
        }
        return PoolConformance("a plain pool of Redis") { work in
            try await pool.withConnection { connection in
                try await become(connection)
                try await work(PoolConformance.Held(id: connection.number) { try await connection.who() })
            }
        }
        .rollingBack {
            try await pool.withConnection { connection in
                try await become(connection)
                _ = try await connection.send(all: [["MULTI"], ["CLIENT", "SETNAME", "somebody"], ["DISCARD"]])
            }
        }
    }

    @Test("are what the table says of leases: kept, by the server's own word", arguments: PoolPromise.allCases)
    func leased(_ promise: PoolPromise) async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        let found = try await PoolFinding.found(promise, on: leases(server))
        #expect(found == PoolFinding.redisLeases.expected(promise))
    }

    @Test("are what the table says of a plain pool", arguments: PoolPromise.allCases)
    func plain(_ promise: PoolPromise) async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        let found = try await PoolFinding.found(promise, on: plain(server))
        #expect(found == PoolFinding.redisPlain.expected(promise))
    }
}

extension RedisConnection {
    /// The identity as which the server takes this connection.
    func who() async throws -> Identity? {
        let name = try await send("ACL", "WHOAMI").text ?? ""
        return name == "default" ? nil : try Identity(name)
    }
}
