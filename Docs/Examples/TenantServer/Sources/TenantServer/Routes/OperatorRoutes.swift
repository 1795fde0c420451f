import Foundation
import HTTPTypes
import Hummingbird
import MultiIdentity
import MultiIdentityProtection

/// The routes of operators: which tenants may work, and which data goes.
///
/// The tenant stands in the path, percent-encoded.
struct OperatorRoutes: Sendable {
    let erasure: Erasure

    func add(to operators: some RouterMethods<TenantContext>) {
        operators.get("wipes", use: wipes)
        operators.get("tenants/:tenant/wipe", use: forecast)
        operators.post("tenants/:tenant/wipe", use: wipe)
        operators.delete("tenants/:tenant/wipe", use: discardReport)
        operators.post("tenants/:tenant/sign-out", use: signOut)
        operators.post("tenants/:tenant/readmit", use: readmit)
    }

    /// Lists the state of each wipe that has a journal or a report.
    private func wipes(_ request: Request, _ context: TenantContext) async throws -> Response {
        try await answering { try Self.json(await erasure.wipe.status()) }
    }

    /// Counts what a wipe would remove; nothing is touched.
    private func forecast(_ request: Request, _ context: TenantContext) async throws -> Response {
        let tenant = try tenant(context)
        return try await answering { try Self.json(await erasure.wipe.dryRun(tenant)) }
    }

    /// Wipes a tenant and answers with the report: 200 where it is complete, 503 where something is left.
    ///
    /// It goes on where the client does not wait, and when the server was killed and is started again.
    private func wipe(_ request: Request, _ context: TenantContext) async throws -> Response {
        let tenant = try tenant(context)
        return try await answering {
            let report = try await erasure.erase(tenant)
            return try Self.json(report, status: report.isComplete ? .ok : .serviceUnavailable)
        }
    }

    /// Removes the report of a complete wipe, and with it the last trace of the tenant's name.
    private func discardReport(_ request: Request, _ context: TenantContext) async throws -> Response {
        let tenant = try tenant(context)
        return try await answering {
            try await erasure.wipe.discardReport(of: tenant)
            return Response(status: .noContent)
        }
    }

    /// Signs a tenant out: requests are refused, and work that has not begun does not run as them.
    private func signOut(_ request: Request, _ context: TenantContext) async throws -> Response {
        IdentityRevocation.revoke(try tenant(context), for: .signedOut)
        return Response(status: .noContent)
    }

    /// Lets a tenant work again that was signed out, or that begins anew after a complete wipe.
    private func readmit(_ request: Request, _ context: TenantContext) async throws -> Response {
        let tenant = try tenant(context)
        guard IdentityRevocation.isRevoked(tenant), !IdentityRevocation.readmit(tenant, after: .wiped) else {
            return Response(status: .noContent)
        }
        throw Refusal(.conflict, code: "wipe_running", "The wipe of this account is not complete: see /wipes.")
    }

    private func tenant(_ context: TenantContext) throws -> Identity {
        let text = try context.parameters.require("tenant")
        do {
            return try Identity(text.removingPercentEncoding ?? text)
        } catch {
            throw Refusal(.badRequest, code: "bad_tenant", "The path names no user: \(error.message)")
        }
    }

    private func answering(_ work: () async throws -> Response) async throws -> Response {
        do {
            return try await work()
        } catch let error as WipeError {
            let status: HTTPResponse.Status =
                switch error.code {
                case .noReport: .notFound
                case .inUse: .conflict
                case .noSpace: HTTPResponse.Status(code: 507)
                default: .internalServerError
                }
            throw Refusal(status, code: "\(error.code)", error.message)
        }
    }

    private static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(value) + Data("\n".utf8)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
