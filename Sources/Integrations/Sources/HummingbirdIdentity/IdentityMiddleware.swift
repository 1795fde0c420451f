#if Hummingbird
public import Hummingbird
import Logging
@_exported public import LoggingIdentity
@_exported public import MultiIdentity
import Tracing
@_exported public import TracingIdentity

/// Serves each request as its authenticated user: everything that the handler starts runs as that user, and the request's logger
/// and span name the user.
///
/// ```swift
/// router.add(middleware: TracingMiddleware())
/// router.add(middleware: Authenticator())
/// router.add(middleware: IdentityMiddleware { _, context in try Identity(context.user) })
/// ```
///
/// Add it after the middleware that authenticates: `user` must return a verified name. If `user` throws, nothing is bound. A name
/// that breaks a rule of identities is the client's error and is answered with 400. A revoked user (`IdentityRevocation`) is
/// answered with 401, also if the handler throws after the revocation: routes for such users belong outside the middleware.
///
/// The logger is the request context's, and `Logger.current`. The span is the current one, if the tracer can find it by its
/// context (`Tracer.activeSpan(identifiedBy:)`).
public struct IdentityMiddleware<Context: RequestContext>: RouterMiddleware {
    private let user: @Sendable (Request, Context) async throws -> Identity

    /// Creates a middleware that binds the user returned by `user`.
    ///
    /// - Parameter user: Returns a request's user, from what has been verified. Errors are answered like the handler's,
    ///   except for names that are not identities.
    public init(user: @escaping @Sendable (Request, Context) async throws -> Identity) { self.user = user }

    /// Runs the rest of the chain, and writes the response, as the request's user.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let user = try await named(by: request, context)
        do {
            return try await withIdentity(user) {
                // Inside the scope, which counts as work in flight: a drain waits for every admitted request.
                try IdentityRevocation.admit(user)
                InstrumentationSystem.tracer.recordIdentity()
                var context = context
                context.logger.nameIdentity()
                var response = try await withLogger(context.logger) { [context] _ in try await next(request, context) }
                // A closure of known or unknown length writes the body after this scope has ended.
                let (body, snapshot) = (response.body, IdentitySnapshot.capture())
                if let length = body.contentLength, length <= ShortBody.maximumLength {
                    response.body = try await ShortBody.written(by: body, length)
                } else {
                    response.body = ResponseBody(contentLength: body.contentLength) { writer in
                        nonisolated(unsafe) let writer = writer  // only this task has it, here as in the closure
                        try await snapshot.restore { try await body.write(writer) }
                    }
                }
                return response
            }
        } catch _ where (try? IdentityRevocation.admit(user)) == nil {
            throw HTTPError(.unauthorized)
        }
    }

    private func named(by request: Request, _ context: Context) async throws -> Identity {
        do {
            return try await user(request, context)
        } catch let error as IdentityError where error.code != .noIdentity {
            // Without the message, which names the revoked user.
            if error.code == .revoked { throw HTTPError(.unauthorized) }
            throw HTTPError(.badRequest, message: error.message)
        }
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Hummingbird\"])")
#endif
