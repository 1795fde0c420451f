import Hummingbird
import HummingbirdIdentity
import HummingbirdTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import Testing
import Tracing

@Suite("The middleware that binds the user") struct MiddlewareTests {
    private let router = Router()

    init() {
        router.add(middleware: TracingMiddleware())
        router.add(
            middleware: IdentityMiddleware { request, _ in
                try Identity(String(request.uri.queryParameters["user"] ?? ""))
            }
        )
    }

    /// Returns the response to one request, with the given route.
    private func response(
        to uri: String,
        logger: Logger? = nil,
        over test: TestingSetup = .router,
        _ route: @escaping @Sendable (Request, BasicRequestContext) async throws -> Response
    ) async throws -> TestResponse {
        router.get("work", use: route)
        return try await Application(router: router, logger: logger ?? Logger(label: "test")).test(test) { client in
            try await client.executeRequest(uri: uri, method: .get, headers: [:], body: nil)
        }
    }

    @Test("serves a request as its user, until it is answered") func servesAsItsUser() async throws {
        let response = try await response(to: "/work?user=ada") { _, _ in
            await Task.yield()
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: currentName)))
        }
        #expect(String(buffer: response.body) == "ada")
        #expect(Identity.current == nil)
    }

    @Test("has the body written as its user, of known length or streamed", arguments: [nil, 3, 10_000, 100_000])
    func writesAsItsUser(_ length: Int?) async throws {
        let response = try await response(to: "/work?user=ada", over: .live) { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: length) { writer in
                    let name = currentName
                    try await writer.write(ByteBuffer(string: name))
                    await Task.yield()
                    let rest = currentName == name ? "." : "!"
                    try await writer.write(ByteBuffer(string: String(repeating: rest, count: (length ?? 4) - 3)))
                    try await writer.finish(nil)
                }
            )
        }
        #expect(String(buffer: response.body) == "ada" + String(repeating: ".", count: (length ?? 4) - 3))
        #expect(response.headers[.contentLength] == length.map(String.init))
    }

    @Test("names the user in the request's span, and in each line of its loggers", arguments: [true, false])
    func namesTheUser(_ hasProvider: Bool) async throws {
        var lines = InMemoryLogHandler()
        if hasProvider { lines.metadataProvider = Logger.MetadataProvider { ["region": "eu"] } }
        let tracer = InMemoryTracer()
        _ = try await withTracer(tracer) {
            try await response(to: "/work?user=ada", logger: Logger(label: "test") { [lines] _ in lines }) {
                _,
                context in
                context.logger.info("by the context")
                Logger.current.info("by the current logger")
                withIdentity(.nobody) { context.logger.info("as nobody") }
                return Response(status: .ok)
            }
        }
        let named = lines.entries.filter { $0.metadata["hb.request.id"] != nil }
        #expect(named.map(\.message) == ["by the context", "by the current logger", "as nobody"])
        #expect(named.map { $0.metadata["identity"] } == ["ada", "ada", "(nobody)"])
        #expect(named.allSatisfy { $0.metadata["region"] == (hasProvider ? "eu" : nil) })
        #expect(tracer.finishedSpans.map { $0.attributes.get("enduser.id") } == [.string("ada")])
    }

    @Test("answers a name that breaks a rule as the client's error", arguments: ["", "%20ada", "a%0Ab"])
    func badName(_ name: String) async throws {
        let response = try await response(to: "/work?user=\(name)") { _, _ in
            Issue.record("reached")
            return Response(status: .ok)
        }
        #expect(response.status == .badRequest)
    }

    /// Revocation applies to the whole process: this test has its own user.
    @Test("answers 401 to a revoked user, and to one who is revoked before the handler fails, without the name")
    func revoked() async throws {
        IdentityRevocation.isOn = true  // a scope that is opened before keeps its tasks' identity
        let ada = try Identity("revoked-\(UInt32.random(in: 0 ... .max))")
        defer { IdentityRevocation.readmit(ada) }
        router.get("work") { _, _ in
            #expect(!IdentityRevocation.isRevoked(ada), "reached")
            IdentityRevocation.revoke(ada, for: .signedOut)
            return try await Task { try Identity.required().name }.value
        }
        try await Application(router: router).test(.router) { client in
            for _ in 0..<2 {
                let uri = "/work?user=\(ada)"
                let response = try await client.executeRequest(uri: uri, method: .get, headers: [:], body: nil)
                #expect(response.status == .unauthorized)
                #expect(response.body.readableBytes == 0)
            }
        }
    }

    @Test("answers the handler's own errors as before, those about identities too") func handlersErrors() async throws {
        let response = try await response(to: "/work?user=ada") { _, _ in
            _ = try Identity(" ")
            return Response(status: .ok)
        }
        #expect(response.status == .internalServerError)
    }

    @Test("serves no request without a user") func servesNobody() async throws {
        let router = Router()
        router.add(middleware: IdentityMiddleware { _, _ in try Identity.required() })
        router.get("work") { _, _ in
            Issue.record("reached")
            return "reached"
        }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(uri: "/work", method: .get, headers: [:], body: nil)
            #expect(response.status == .internalServerError)
        }
    }
}

private var currentName: String { Identity.current?.name ?? "---" }
