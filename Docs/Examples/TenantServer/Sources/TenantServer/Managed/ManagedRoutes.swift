import Foundation
import Hummingbird
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy

/// The routes of managed tenants: what their policies decide, how they are configured, and how they leave.
struct ManagedRoutes: Sendable {
    let registry: AccountRegistry

    func add(to tenants: some RouterMethods<TenantContext>) {
        tenants.get("configuration", use: configuration)
        tenants.post("files/:name/send", use: send)
        tenants.post("sign-out", use: signOut)
    }

    /// The configuration of the tenant: what is targeted at them before what everybody gets.
    private func configuration(_ request: Request, _ context: TenantContext) -> [String: String] {
        let configuration = registry.configuration(of: .current)
        return ["theme": configuration.string("theme", .any) ?? "plain"]
    }

    /// Sends a file out of the organisation, if the tenant's policy allows that.
    private func send(_ request: Request, _ context: TenantContext) throws -> HTTPResponse.Status {
        do throws(PolicyRefusal) { try registry.accounts.decide(.sendOut, for: .current).check() } catch {
            throw Refusal(.forbidden, code: "refused_by_policy", "\(error.decision)")
        }
        return .accepted
    }

    /// Signs the tenant out for good: all of it is wiped before this is answered, or the wipe goes on.
    private func signOut(_ request: Request, _ context: TenantContext) async throws -> HTTPResponse.Status {
        try await registry.deregister(.required())
        return .noContent
    }
}
