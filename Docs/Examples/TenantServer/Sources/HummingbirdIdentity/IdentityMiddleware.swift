public import Hummingbird
public import MultiIdentity

/// Serves each request as the user whom `user` finds in it: all that the handler causes runs as that user.
///
/// It goes behind whatever authenticates: what `user` returns has to be verified. If it throws, nothing is bound; a name that
/// breaks a rule of identities is the client's error, and answered with 400.
public struct IdentityMiddleware<Context: RequestContext>: RouterMiddleware {
    private let user: @Sendable (Request, Context) async throws -> Identity

    /// - Parameter user: A request's user, from what has been verified; its other errors are answered as the handler's are.
    public init(user: @escaping @Sendable (Request, Context) async throws -> Identity) { self.user = user }

    /// Runs the rest of the chain, and the writing of the answer, as the request's user.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await withIdentity(named(by: request, context)) {
            var response = try await next(request, context)
            // Written when this scope has long ended, by a closure of known length or not.
            let (body, snapshot) = (response.body, IdentitySnapshot.capture())
            if let length = body.contentLength, length <= ShortBody.mostBytes {
                response.body = try await ShortBody.written(by: body, length)
            } else {
                response.body = ResponseBody(contentLength: body.contentLength) { writer in
                    nonisolated(unsafe) let writer = writer  // only this task has it, here as in the closure
                    try await snapshot.restore { try await body.write(writer) }
                }
            }
            return response
        }
    }

    private func named(by request: Request, _ context: Context) async throws -> Identity {
        do {
            return try await user(request, context)
        } catch let error as IdentityError where error.code != .noIdentity {
            throw HTTPError(.badRequest, message: error.message)
        }
    }
}
