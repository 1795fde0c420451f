import AsyncAlgorithms
import AsyncHTTPClient
import Dispatch
import GRDB
import Hummingbird
import HummingbirdTesting
import InMemoryTracing
import Logging
import MultiIdentity
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import Tracing

/// A program's own task-local: the following faults do not depend on this package.
private enum Tenant {
    @TaskLocal static var current: String?

    static var name: String { current ?? "no one" }
}

/// Verifies what Docs/Reliability.md says of packages, each unmodified, and with the handed-over closure wrapped by the caller.
@Suite("A published package") struct WildTests {
    private let isFixed: Comment = "The package seems to have fixed this: remove it from Docs/Reliability.md."

    // All, since a package can keep one to itself, as swift-log does.
    init() throws { try IdentityCompanions.carryAll() }

    private func wrapped<T>(_ work: @escaping @Sendable () -> T, _ isWrapped: Bool) -> @Sendable () -> T {
        isWrapped ? IdentitySnapshot.capture().wrap(work) : work
    }

    /// Ada observes her notes, and then Grace writes one: both times Ada should see her own.
    ///
    /// GRDB carries task-locals into `await db.read` (groue/GRDB.swift#1794). The first fetch of an observation has none, and
    /// each later one runs inside the write that triggered it, as the writer.
    @Test("runs an observation's fetch as the writer, wrapped as the observer (GRDB)", arguments: [false, true])
    func observation(isWrapped: Bool) async throws {
        let db = try DatabaseQueue()
        try await db.write { db in
            try db.execute(sql: "CREATE TABLE note(tenant TEXT, text TEXT)")
            try db.execute(sql: "INSERT INTO note VALUES ('ada', 'of ada'), ('grace', 'of grace')")
        }
        let (shown, changes) = AsyncStream<[String]>.makeStream()
        let observation = Tenant.$current.withValue("ada") {
            let fetch: @Sendable (Database) throws -> [String] = { db in
                let sql = "SELECT text FROM note WHERE tenant IS ? ORDER BY text"
                return try String.fetchAll(db, sql: sql, arguments: [Tenant.current])
            }
            return ValueObservation.tracking(isWrapped ? IdentitySnapshot.capture().wrap(fetch) : fetch)
                .start(in: db, scheduling: .async(onQueue: DispatchQueue(label: "ada"))) { error in
                    Issue.record(error)
                } onChange: {
                    changes.yield($0)
                }
        }
        defer { observation.cancel() }
        var iterator = shown.makeAsyncIterator()
        let first = await iterator.next()
        try await Tenant.$current.withValue("grace") {
            try await db.write { db in try db.execute(sql: "INSERT INTO note VALUES ('grace', 'secret of grace')") }
        }
        let both = [first, await iterator.next()]
        #expect(both == (isWrapped ? [["of ada"], ["of ada"]] : [[], ["of grace", "secret of grace"]]), isFixed)
    }

    /// Ada takes two elements of a shared sequence and leaves; Grace takes the others, which should not be computed for Ada.
    ///
    /// `share()` iterates its base in an unstructured task, which the first consumer's `next()` starts. Where
    /// `#available(macOS 26, *)` is false, that task is detached, and everything is computed for no one.
    @Test("computes a shared sequence as its first consumer, wrapped as its maker (swift-async-algorithms)")
    func shared() async {
        func seenByGrace(_ shared: some AsyncSequence<String, Never> & Sendable) async -> Set<String> {
            await Tenant.$current.withValue("ada") { for await _ in shared.prefix(2) {} }
            return await Tenant.$current.withValue("grace") { await Set(Array(shared)) }
        }
        let names = (1...6).async.map { _ in Tenant.name }
        #expect(await seenByGrace(names.share()) == ["ada"], isFixed)
        let wrapped = Tenant.$current.withValue("the maker") { names.propagatingIdentity.share() }
        #expect(await seenByGrace(wrapped) == ["the maker"])
    }

    /// Ada takes an element, and then Grace, from one iterator: each should be computed for its caller, as by `map`.
    ///
    /// `merge`, `zip` and `combineLatest` iterate their bases in an unstructured task, which the first `next()` starts.
    @Test("computes a combined sequence as the first to take an element, wrapped as its maker (swift-async-algorithms)")
    func combined() async {
        func seenByGrace<Names: AsyncSequence<String, Never>>(_ names: Names) async -> String? {
            var iterator = names.makeAsyncIterator()
            _ = await Tenant.$current.withValue("ada") { await iterator.next(isolation: nil) }
            return await Tenant.$current.withValue("grace") { await iterator.next(isolation: nil) }
        }
        func seen(_ names: some AsyncSequence<String, Never> & Sendable) async -> [String?] {
            [
                await seenByGrace(merge(names, names)), await seenByGrace(zip(names, names).map { $0.0 }),
                await seenByGrace(combineLatest(names, names).map { $0.0 }),
            ]
        }
        let names = (1...6).async.map { _ in Tenant.name }
        #expect(await seenByGrace(names) == "grace")
        #expect(await seen(names) == ["ada", "ada", "ada"], isFixed)
        let wrapped = Tenant.$current.withValue("the maker") { names.propagatingIdentity }
        #expect(await seen(wrapped) == ["the maker", "the maker", "the maker"])
    }

    /// A request starts a span while its body is written, which should be a child of the request's span.
    ///
    /// `TracingMiddleware` ends its span when the body has been written (`withPostWriteClosure`), and binds its context only
    /// until the handler has returned.
    @Test("writes a body outside the request's span, wrapped inside it (Hummingbird)", arguments: [false, true])
    func streamedBody(isWrapped: Bool) async throws {
        let (tracer, router) = (InMemoryTracer(), Router())
        router.addMiddleware { TracingMiddleware() }
        router.get("notes") { _, _ in
            let query = wrapped({ withSpan("in the body") { _ in } }, isWrapped)
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    query()
                    try await writer.finish(nil)
                }
            )
        }
        try await Application(router: router).test(.router) { client in
            try await withTracer(tracer) { _ = try await client.execute(uri: "/notes", method: .get) }
        }
        let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0.spanContext) })
        let (request, body) = (try #require(spans["/notes"]), try #require(spans["in the body"]))
        #expect(body.parentSpanID == (isWrapped ? request.spanID : nil), isFixed)
        #expect((body.traceID == request.traceID) == isWrapped, isFixed)
    }

    /// Ada sends a request with a sequence as its body to an echo server: each part should be made for Ada.
    ///
    /// She awaits one structured call, which can be traced with `withSpan`.
    /// `Transaction.continueRequestBodyStream` iterates the body in a `Task { }` that it starts on the event loop.
    @Test("makes a request's body as no one, wrapped as the sender (async-http-client)", arguments: [false, true])
    func requestBody(isWrapped: Bool) async throws {
        let router = Router()
        router.post("echo") { request, _ in try await request.body.collect(upTo: 1_000) }
        try await Application(router: router).test(.live) { server in
            var request = HTTPClientRequest(url: "http://localhost:\(try #require(server.port))/echo")
            request.method = .POST
            let body = ["part"].async.map { _ in ByteBuffer(string: Tenant.name) }
            let answer = try await Tenant.$current.withValue("ada") {
                request.body =
                    isWrapped ? .stream(body.propagatingIdentity, length: .unknown) : .stream(body, length: .unknown)
                return try await HTTPClient.shared.execute(request, timeout: .seconds(60)).body.collect(upTo: 1_000)
            }
            #expect(String(buffer: answer) == (isWrapped ? "ada" : "no one"), isFixed)
        }
    }

    /// The span of a request should be a child of its caller's.
    ///
    /// A request that returns a future starts its span on the event loop (`RequestBag.willExecuteRequest0`), where nothing is
    /// bound. No wrapping reaches that, but the `async` call starts its span in the caller's task.
    @Test("starts a request's span as a root, awaited as a child (async-http-client)", arguments: [false, true])
    func requestSpan(isAsync: Bool) async throws {
        let (tracer, router) = (InMemoryTracer(), Router())
        router.get("notes") { _, _ in "" }
        var configuration = HTTPClient.Configuration()
        configuration.tracing.tracer = tracer
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await Application(router: router).test(.live) { server in
                let url = "http://localhost:\(try #require(server.port))/notes"
                try await tracer.withSpan("caller") { _ in
                    if isAsync {
                        _ = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
                    } else {
                        _ = try await client.get(url: url).get()
                    }
                }
            }
        }
        let spans = Dictionary(uniqueKeysWithValues: tracer.finishedSpans.map { ($0.operationName, $0.spanContext) })
        let (caller, request) = (try #require(spans["caller"]), try #require(spans["GET"]))
        #expect(request.parentSpanID == (isAsync ? caller.spanID : nil), isFixed)
        #expect((request.traceID == caller.traceID) == isAsync, isFixed)
    }

    /// The call is `async`, and its closure does not outlive it: it should run for Ada.
    @Test("runs a closure on a thread as no one, wrapped as its caller (swift-nio)", arguments: [false, true])
    func threadPool(isWrapped: Bool) async throws {
        let seen = try await Tenant.$current.withValue("ada") {
            try await NIOThreadPool.singleton.runIfActive(wrapped({ Tenant.name }, isWrapped))
        }
        #expect(seen == (isWrapped ? "ada" : "no one"), isFixed)
    }

    /// A callback for blocking work should log as the request that registered it.
    ///
    /// `whenCompleteBlocking(onto:)` calls the queue's `async` on the event loop. swift-log's task-local cannot be named.
    @Test("runs a callback without the request's logger, wrapped with it (swift-nio)", arguments: [false, true])
    func blockingCallback(isWrapped: Bool) async {
        let seen = await withLogger(Logger(label: "request")) { _ in
            await withCheckedContinuation { seen in
                let log = { @Sendable (_: Result<Void, any Error>) in seen.resume(returning: Logger.current.label) }
                MultiThreadedEventLoopGroup.singleton.any().makeSucceededVoidFuture()
                    .whenCompleteBlocking(onto: .global(), isWrapped ? IdentitySnapshot.capture().wrap(log) : log)
            }
        }
        #expect((seen == "request") == isWrapped, isFixed)
    }
}
