import HTTPTypes
import Hummingbird
import MultiIdentity

/// Refuses requests of a tenant who is signed out or wiped, and says so where one of them fails that was under way.
struct AdmissionMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        let tenant = try Identity.required()
        try Self.admit(tenant)
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            // Its files, its key and its identity may have gone while it ran: that is why, and no fault of the server's.
            try Self.admit(tenant)
            throw error
        }
    }

    private static func admit(_ tenant: Identity) throws {
        do throws(IdentityRevokedError) { try IdentityRevocation.admit(tenant) } catch { throw Refusal(error) }
    }
}

extension Refusal {
    init(_ error: IdentityRevokedError) {
        switch error.reason {
        case .signedOut:
            self.init(.forbidden, code: "signed_out", "This account is signed out. Sign in anew.")
        case .wiped:
            self.init(.gone, code: "wiped", "This account and its data are removed, or are being removed.")
        }
    }
}
