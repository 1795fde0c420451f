import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting
import NIOCore
import NIOPosix
import Testing

/// Verifies what Docs/Reliability.md says of packages that are not built here: each is a program of the same shape.
@Suite("The shape of a package") struct ShapeTests {
    /// Grace asks while Ada's request is in progress, and should not get Ada's answer.
    @Test("answers a joiner as the first caller, and each as itself with a cache per identity (Vapor)")
    func joined() async throws {
        let (cache, caches) = (JoinedRequest<Identity?>(), IdentityCache<String, JoinedRequest<Identity?>>(limit: 100))
        let plain = PoolConformance("EndpointCache") { _ in }.joining { try await cache.value($0) }
        let fixed = PoolConformance("a cache of EndpointCaches") { _ in }.joining { fetch in
            try await caches.value(for: "https://example.com/keys") { JoinedRequest() }.value(fetch)
        }
        await #expect(throws: PoolViolation.self) { try await PoolPromise.answersEachJoiner.check(on: plain) }
        #expect(try await PoolPromise.answersEachJoiner.check(on: fixed) == .kept)
    }

    /// Grace joins the request that Ada began, and is cancelled: neither Ada nor later callers should notice.
    ///
    /// The credentials are for all, so no one's identity should fetch them. soto-project/soto-core#708 reports the error that
    /// stays, but not that any caller can cause it.
    @Test("fails for all if one caller is cancelled, and for none if the request is detached (soto)")
    func cancelled() async throws {
        func outcomes(_ value: @escaping Fetching, _ request: JoinedRequest<String>) async throws -> [String] {
            let (answered, answer) = AsyncStream<Void>.makeStream()
            let fetch: @Sendable () async throws -> String = {
                for await _ in answered {}
                try Task.checkCancellation()
                return Identity.current?.name ?? "no one"
            }
            func ask(as name: String) throws -> Task<String, any Error> {
                withIdentity(try Identity(name)) { Task { try await value(request, fetch) } }
            }
            let ada = try ask(as: "ada")
            while await request.callers < 1 { await Task.yield() }
            let grace = try ask(as: "grace")
            while await request.callers < 2 { await Task.yield() }
            grace.cancel()
            answer.finish()
            return [await ada.result, try await ask(as: "later").result].map { (try? $0.get()) ?? "cancelled" }
        }
        #expect(try await outcomes({ try await $0.value($1) }, JoinedRequest()) == ["cancelled", "cancelled"])
        let detached: Fetching = { request, fetch in try await Task.detached { try await request.value(fetch) }.value }
        #expect(try await outcomes(detached, JoinedRequest()) == ["no one", "no one"])
    }

    /// A callback is registered for Ada, and a frame arrives on the event loop.
    @Test("runs a web socket's callback as no one, wrapped as the one who registered it (websocket-kit)")
    func webSocket() async throws {
        func socket(_ wrap: @escaping @Sendable (@escaping Callback) -> Callback) -> BoundaryConformance {
            .asynchronous("WebSocket.onText", capturedWhen: .registered) { work in
                let socket = Socket()
                socket.onText(wrap(work))
                return { socket.receive() }
            }
        }
        let promise = BoundaryPromise.carriesAName
        let violation = await #expect(throws: BoundaryViolation.self) { try await promise.check(on: socket { $0 }) }
        #expect(violation?.description.contains("found unset") == true)
        #expect(try await promise.check(on: socket { IdentitySnapshot.capture().wrap($0) }) == .kept)
    }
}

private typealias Callback = @Sendable () async -> Void
private typealias Fetching =
    @Sendable (JoinedRequest<String>, @escaping @Sendable () async throws -> String) async throws -> String

/// `EndpointCache` of Vapor 5.0.0-alpha.2 (`Vapor/HTTP/EndpointCache.swift`), and `ExpiringValue` of soto-core 7.13.0
/// (`SotoCore/Concurrency/ExpiringValue.swift`): who asks meanwhile awaits the first caller's task.
private actor JoinedRequest<Value: Sendable> {
    private var request: Task<Value, any Error>?
    private(set) var callers = 0

    func value(_ fetch: @escaping @Sendable () async throws -> Value) async throws -> Value {
        callers += 1
        let request = request ?? Task { try await fetch() }
        self.request = request
        // Vapor's has no such handler.
        let value = try await withTaskCancellationHandler {
            try await request.value
        } onCancel: {
            request.cancel()
        }
        // Not after an error, which both then give to all who ask later.
        self.request = nil
        return value
    }
}

/// `WebSocket` of websocket-kit 2.16.1 (`WebSocketKit/Concurrency/WebSocket+Concurrency.swift`): a task that starts on the event
/// loop has nothing to inherit.
private final class Socket: Sendable {
    private let callback: NIOLoopBoundBox<@Sendable () -> Void>

    init() { callback = .makeBoxSendingValue({}, eventLoop: MultiThreadedEventLoopGroup.singleton.any()) }

    func onText(_ callback: @escaping Callback) {
        self.callback.eventLoop.execute { self.callback.value = { Task { await callback() } } }
    }

    func receive() {
        callback.eventLoop.execute { self.callback.value() }
    }
}
