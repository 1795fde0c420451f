import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MetricsTestKit
import MultiIdentity
import Testing

@testable import TenantServer

@Suite("Requests, counted") struct RequestCountingTests {
    @Test("are counted for the named users; all others are one") func areCounted() async throws {
        let metrics = TestMetrics()
        let authority = try await TestServer.authority()
        let router = Router(context: TenantContext.self)
        TenantServer.addUser(to: router, authority: authority, keeping: .carried)
        router.add(middleware: RequestCounting(naming: [try Identity("ada@contoso.com")], factory: metrics))
        router.get("report") { _, _ in "reported" }
        try await Application(router: router).test(.router) { client in
            for user in ["ada@contoso.com", "Ada@contoso.com", "grace@contoso.com", "joan@contoso.com"] {
                let token = try await authority.token(for: user, lifetime: .seconds(60))
                let response = try await client.executeRequest(
                    uri: "/report",
                    method: .get,
                    headers: [.authorization: "Bearer \(token)"],
                    body: nil
                )
                #expect(response.status == .ok)
            }
        }
        #expect(try metrics.expectCounter("tenant_requests", [("identity", "ada@contoso.com")]).totalValue == 2)
        #expect(try metrics.expectCounter("tenant_requests", [("identity", "other")]).totalValue == 2)
        #expect(metrics.counters.count == 2)
    }
}
