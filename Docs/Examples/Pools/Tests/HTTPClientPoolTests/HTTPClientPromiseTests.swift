import AsyncHTTPClient
import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting
import NIOCore
import NIOHTTP1
import PoolFindings
import Testing

@Suite("The promises of a pool, of AsyncHTTPClient") struct HTTPClientPromiseTests {
    struct Unreadable: Error {}
    struct Failed: Error {}

    /// A client that has one connection to a host at a time.
    static func client() -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    static func request(_ url: String, as identity: Identity?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        if let identity, !identity.isNobody { request.headers.add(name: "x-user", value: identity.name) }
        return request
    }

    /// The server's words: which connection it was, and its user.
    static func read(_ line: ByteBuffer?) throws -> (number: Int, who: Identity?) {
        let parts = line.map { String(buffer: $0).split(separator: " ").map(String.init) } ?? []
        guard let first = parts.first, let number = Int(first) else { throw Unreadable() }
        return (number, parts.count > 1 ? try Identity(parts[1]) : nil)
    }

    /// Asks something, and has the whole answer.
    static func ask(_ client: HTTPClient, _ url: String, as identity: Identity?) async throws -> Identity? {
        let response = try await client.execute(request(url, as: identity), timeout: .seconds(60))
        return try read(await response.body.collect(upTo: 1_024)).who
    }

    /// Holds a connection for the length of the work: the request ends with it.
    static func hold(_ client: HTTPClient, _ server: WhoServer, _ work: PoolConformance.Work) async throws {
        var request = request(server.url("/hold"), as: Identity.current)
        let (body, rest) = AsyncStream<ByteBuffer>.makeStream()
        request.body = .stream(body, length: .unknown)
        let response = try await client.execute(request, timeout: .seconds(60))
        var lines = response.body.makeAsyncIterator()
        let (number, who) = try read(await lines.next())
        try await work(PoolConformance.Held(id: number) { who })
        try Task.checkCancellation()
        rest.finish()
        while try await lines.next() != nil {}
    }

    /// The client's own pool.
    func plain(_ client: HTTPClient, _ server: WhoServer) -> PoolConformance {
        PoolConformance("AsyncHTTPClient") { work in try await Self.hold(client, server, work) }
            .waitedFor()
            .dyingWhileBinding { server.dieNext() }
    }

    /// Clients of one connection each, leased: signed in, signed out, and asked.
    func leased(_ server: WhoServer) -> PoolConformance {
        let failsReset = WhoServer.Flag()
        let pool = LeasePool<HTTPClient>(
            1,
            open: { () throws -> HTTPClient in Self.client() },
            close: { client in client.shutdown { _ in } }
        )
        let binding = LeaseBinding<HTTPClient>(
            bind: { client, identity in _ = try await Self.ask(client, server.url("/in"), as: identity) },
            clear: { client in
                if failsReset.take() { throw Failed() }
                _ = try await Self.ask(client, server.url("/out"), as: nil)
            },
            verify: { client in try await Self.ask(client, server.url("/who"), as: nil) }
        )
        let leases = IdentityLease(of: pool, binding: binding)
        return PoolConformance("AsyncHTTPClient, leased") { work in
            try await leases.withLease { lease in try await lease.use { try await Self.hold($0, server, work) } }
        }
        .waitedFor()
        .failingReset { failsReset.set() }
        .dyingWhileBinding { server.dieNext() }
    }

    /// Checks a promise, and ends client and server.
    func found(_ promise: PoolPromise, _ way: WhoServer.Way, isLeased: Bool = false) async throws -> String {
        let (server, client) = (try await WhoServer(way), Self.client())
        let pool = isLeased ? leased(server) : plain(client, server)
        let found: Result<String, any Error>
        do { found = .success(try await PoolFinding.found(promise, on: pool)) } catch { found = .failure(error) }
        try await client.shutdown()
        try await server.stop()
        return try found.get()
    }

    @Test("are what the table says, where a header names a request's user", arguments: PoolPromise.allCases)
    func byRequest(_ promise: PoolPromise) async throws {
        #expect(try await found(promise, .byRequest) == PoolFinding.clientOfRequests.expected(promise))
    }

    @Test("are what the table says, where the server knows a connection's user", arguments: PoolPromise.allCases)
    func byConnection(_ promise: PoolPromise) async throws {
        #expect(try await found(promise, .byConnection) == PoolFinding.clientOfConnections.expected(promise))
    }

    @Test("are kept with that server by a client that is leased", arguments: PoolPromise.allCases)
    func leased(_ promise: PoolPromise) async throws {
        #expect(try await found(promise, .byConnection, isLeased: true) == PoolFinding.clientLeases.expected(promise))
    }
}
