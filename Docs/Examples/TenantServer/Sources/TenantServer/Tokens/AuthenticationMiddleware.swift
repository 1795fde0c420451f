import Hummingbird
import MultiIdentity

/// Lets a request through that has a good token, and says in its context what that token says.
struct AuthenticationMiddleware: RouterMiddleware {
    let verifier: TokenVerifier

    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.token = try await verifier.token(in: request.headers)
        return try await next(request, context)
    }
}

extension TenantContext {
    /// The user of the verified token.
    ///
    /// - Returns: The identity.
    /// - Throws: ``Refusal``, where a good token names somebody who cannot be.
    func user() throws -> Identity {
        do {
            return try Identity(token.subject)
        } catch {
            throw Refusal.token("bad_subject", "The token's subject is no user's name: \(error.message)")
        }
    }
}

/// Lets operators through, and nobody else.
struct OperatorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        guard context.token.isOperators else {
            throw Refusal(
                .forbidden,
                code: "not_operator",
                "This is for operators: the token needs the scope operator.",
                headers: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="operator""#]
            )
        }
        return try await next(request, context)
    }
}
