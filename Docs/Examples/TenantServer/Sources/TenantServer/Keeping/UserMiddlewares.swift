import Hummingbird

/// Stands in ``IdentityMiddleware``'s place without the package: hands the user on in the context.
struct PassedUserMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = .passed(context.token.subject)
        return try await next(request, context)
    }
}

/// The wrong one: puts the user into a thread-local, and takes care to clear it on whatever thread it then is.
struct ThreadUserMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = .threadLocal
        ThreadUser.current = context.token.subject
        defer { ThreadUser.current = nil }
        return try await next(request, context)
    }
}
