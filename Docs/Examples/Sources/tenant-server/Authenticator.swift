import Hummingbird
import Logging
import MultiIdentity

struct TenantContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The user of the verified token; `nil` before ``Authenticator``.
    var user: Identity?

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}

/// Accepts a request with a valid token, and stores the token's user in the context.
///
/// It binds nothing: `IdentityMiddleware`, which comes next, does.
struct Authenticator: RouterMiddleware {
    let authority: TokenAuthority

    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.user = try await user(of: request)
        return try await next(request, context)
    }

    private func user(of request: Request) async throws -> Identity {
        let values = request.headers[values: .authorization]
        // With two, a proxy could check one of them and this server accept the other.
        guard values.count == 1, values[0].hasPrefix("Bearer ") else { throw Self.unauthorized }
        do {
            return try Identity(try await authority.user(of: String(values[0].dropFirst("Bearer ".count))))
        } catch {
            throw Self.unauthorized
        }
    }

    /// Without a reason, which would only help an attacker who forges tokens.
    private static var unauthorized: HTTPError {
        HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"], message: "Send a valid bearer token.")
    }
}
