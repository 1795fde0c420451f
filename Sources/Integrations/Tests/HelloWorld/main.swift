import Hummingbird
import InMemoryTracing
import Logging
import Tracing

struct UserContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var user = ""

    init(source: Source) { coreContext = .init(source: source) }
}

/// The server's own authenticator.
struct Authenticator: RouterMiddleware {
    func handle(
        _ request: Request,
        context: UserContext,
        next: (Request, UserContext) async throws -> Response
    ) async throws -> Response {
        guard let token = request.headers[.authorization] else { throw HTTPError(.unauthorized) }
        var context = context
        context.user = token
        return try await next(request, context)
    }
}

let tracer = InMemoryTracer()
InstrumentationSystem.bootstrap(tracer)
LoggingSystem.bootstrap(StreamLogHandler.standardError)

let router = Router(context: UserContext.self)
router.get("spans") { _, _ in tracer.finishedSpans.map { "\($0.attributes)" }.joined() }
router.add(middleware: TracingMiddleware())
router.add(middleware: Authenticator())
router.get("hello") { _, context in
    context.logger.info("saying hello")
    return "Hello"
}
let app = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
try await app.runService()
