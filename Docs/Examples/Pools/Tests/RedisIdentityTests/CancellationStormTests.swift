import MultiIdentity
import MultiIdentityLease
import Testing

@testable import RedisIdentity

@Suite("Requests that are cancelled at random points", .serialized, .timeLimit(.minutes(5)))
struct CancellationStormTests {
    /// The care that a client takes of a request that is cut off.
    enum Client: CaseIterable { case careful, careless }

    let seed = UInt64.random(in: 0...UInt64.max)

    func leasing(_ server: RedisServer, _ client: Client) throws -> Storm.Ask {
        let limits = LeasePoolLimits(resources: Storm.connections)
        let (_, leases) = RedisLeases.make(port: server.port, limits: limits) { server.user($0.name) }
        let identities = try server.tenants.map { try Identity($0) }
        return { tenant, key in
            let name = "\(server.tenants[tenant]):\(key)"
            let answer = try await withIdentity(identities[tenant]) {
                try await leases.withLease { lease in
                    try await lease.use { connection in
                        if client == .careful { return try await connection.send("GET", name) }
                        return try await connection.carelessly("GET", name)
                    }
                }
            }
            return (answer, RedisServer.value(of: name))
        }
    }

    @Test("get wrong answers from a plain pool")
    func leaks() async throws {
        let server = try await RedisServer(tenants: Storm.tenants)
        defer { server.stop() }
        let pool = PlainPool { try await server.everything() }
        defer { pool.close() }
        let storm = Storm(cancellations: 10_000, seed: seed) { tenant, key in
            let name = "\(server.tenants[tenant]):\(key)"
            return (try await pool.withConnection { try await $0.carelessly("GET", name) }, RedisServer.value(of: name))
        }
        let tally = await storm.run()
        print("seed \(seed), a plain pool: \(tally)")
        #expect(tally.wrong > 0, "seed \(seed)")
    }

    @Test("get none from leases, whatever the client does", arguments: Client.allCases)
    func isKept(_ client: Client) async throws {
        let server = try await RedisServer(tenants: Storm.tenants)
        defer { server.stop() }
        let storm = Storm(cancellations: 10_000, seed: seed, ask: try leasing(server, client))
        let tally = await storm.run()
        print("seed \(seed), leases with a \(client) client: \(tally)")
        #expect(tally.wrong == 0, "seed \(seed)")
        #expect(tally.failed == 0, "seed \(seed)")
        #expect(tally.cancelled >= storm.cancellations)
        #expect(tally.answered > 0)
    }

    @Test("get none where the server is killed meanwhile, again and again")
    func killed() async throws {
        let server = try await RedisServer(tenants: Storm.tenants)
        defer { server.stop() }
        let ask = try leasing(server, .careless)
        var total = Storm.Tally()
        for round in 0..<5 {
            let (asked, restarts) = (Storm.Counter(), Storm.Counter())
            let storm = Storm(cancellations: 400, seed: seed &+ UInt64(round)) { tenant, key in
                asked.add()
                // While it is down, nobody hammers at it.
                if restarts.now == 1 { try await Task.sleep(for: .milliseconds(1)) }
                return try await ask(tenant, key)
            }
            async let tally = storm.run()
            while asked.now < 100 { try await Task.sleep(for: .milliseconds(1)) }
            restarts.add()
            server.kill()
            try await server.start()
            restarts.add()
            total += await tally
        }
        print("seed \(seed), killed five times: \(total)")
        #expect(total.wrong == 0, "seed \(seed)")
        #expect(total.failed > 0, "seed \(seed)")
        // Everybody is served again, and as themselves.
        for tenant in 0..<Storm.tenants {
            let (answer, expected) = try await ask(tenant, 3)
            #expect(answer.text == expected)
        }
    }
}
