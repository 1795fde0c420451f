public import Hummingbird
public import MultiIdentity

/// Serves each request as the user whom `user` finds in it: all that the handler causes runs as that user.
///
/// It goes behind whatever authenticates: what `user` returns has to be verified. If it throws, nothing is bound.
public struct IdentityMiddleware<Context: RequestContext>: RouterMiddleware {
    private let user: @Sendable (Request, Context) async throws -> Identity

    /// - Parameter user: Whose request it is, from what has been verified; its errors are answered as the handler's are.
    public init(user: @escaping @Sendable (Request, Context) async throws -> Identity) { self.user = user }

    /// Runs the rest of the chain, and the writing of a streamed answer, as the request's user.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await withIdentity(user(request, context)) {
            var response = try await next(request, context)
            if response.body.contentLength == nil {  // streamed: written when this scope has long ended
                let (body, snapshot) = (response.body, IdentitySnapshot.capture())
                response.body = ResponseBody { writer in
                    nonisolated(unsafe) let writer = writer  // only this task has it, here as in the closure
                    try await snapshot.restore { try await body.write(writer) }
                }
            }
            return response
        }
    }
}
