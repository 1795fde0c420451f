import MultiIdentity
import MultiIdentityLease
import Testing

@testable import RedisIdentity

@Suite("A leased connection to Redis", .serialized) struct RedisLeaseTests {
    @Test("sees its own identity's keys alone, by the server's word")
    func keys() async throws {
        let server = try await RedisServer(tenants: 2)
        defer { server.stop() }
        let (_, leases) = RedisLeases.make(port: server.port, limits: 1) { server.user($0.name) }
        let (ada, bob) = (server.tenants[0], server.tenants[1])
        try await withIdentity(Identity(ada)) {
            try await leases.withLease { lease in
                try await lease.use { connection in
                    let own = try await connection.send("GET", "\(ada):1")
                    #expect(own.text == RedisServer.value(of: "\(ada):1"))
                    let refused = await #expect(throws: RedisError.self) {
                        try await connection.send("GET", "\(bob):1")
                    }
                    #expect(refused?.description.contains("NOPERM") == true)
                }
            }
        }
        // Nobody's connection may do nothing.
        try await withIdentity(.nobody) {
            try await leases.withLease { lease in
                let answer = try await lease.use { try await $0.send(all: [["GET", "\(ada):1"]]) }
                #expect("\(answer)".contains("NOPERM"))
            }
        }
    }

    @Test(
        "refuses what changes its user, or which request an answer is for",
        arguments: ["auth", "RESET", "Subscribe", "client reply", "MONITOR"]
    )
    func reserved(_ command: String) async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        let connection = try await server.everything()
        await #expect(throws: RedisError.reserved(command: command.uppercased())) {
            try await connection.send(all: [command.split(separator: " ").map(String.init) + ["off"]])
        }
        let who = try await connection.who()
        #expect(who?.name == "everything")
    }

    @Test("has large values and many commands whole")
    func large() async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        let connection = try await server.everything()
        let value = String(repeating: "0123456789abcdef", count: 500_000)
        try await connection.send("SET", "large", value)
        #expect(try await connection.send("GET", "large").text == value)
        let answers = try await connection.send(all: (0..<5_000).map { ["ECHO", "\($0)"] })
        #expect(answers.map(\.text) == (0..<5_000).map { "\($0)" })
    }

    @Test("is notified when the server ends, every time")
    func notified() async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        for _ in 0..<3 {
            var connections: [RedisConnection] = []
            for _ in 0..<100 { connections.append(try await server.everything()) }
            // None of these has an answer yet when the server is gone.
            let waiting = connections.map { connection in
                Task { try await connection.send("BLPOP", "nothing", "0") }
            }
            server.kill()
            for task in waiting { await #expect(throws: RedisError.self) { try await task.value } }
            try await server.start()
        }
    }

    @Test("runs a transaction, and a savepoint is refused")
    func transactions() async throws {
        let server = try await RedisServer(tenants: 1)
        defer { server.stop() }
        let (_, leases) = RedisLeases.make(port: server.port, limits: 1) { server.user($0.name) }
        let name = server.tenants[0]
        try await withIdentity(Identity(name)) {
            try await leases.withLease { lease in
                try await lease.withTransaction {
                    try await lease.use { _ = try await $0.send("SET", "\(name):t", "1") }
                }
                let seen = try await lease.use { try await $0.send("GET", "\(name):t").text }
                #expect(seen == "1")
            }
            await #expect(throws: RedisError.self) {
                try await leases.withLease { lease in
                    try await lease.withTransaction { try await lease.withTransaction {} }
                }
            }
        }
    }
}
