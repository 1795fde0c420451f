import Hummingbird
import MultiIdentity

/// Refuses requests of users who have left, including those in progress.
///
/// It runs inside the scope that `IdentityMiddleware` opens: such a scope counts as work in flight, so a wipe waits for every
/// request that was admitted.
struct Admission: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        let user = context.user
        try Self.admit(user)
        do {
            return try await next(request, context)
        } catch {
            // The user's files and key may have been removed meanwhile: that is then the reason.
            try Self.admit(user)
            throw error
        }
    }

    private static func admit(_ user: Identity?) throws {
        do {
            try IdentityRevocation.admit(user)
        } catch {
            throw HTTPError(.gone, message: "This account and its data were removed.")
        }
    }
}
