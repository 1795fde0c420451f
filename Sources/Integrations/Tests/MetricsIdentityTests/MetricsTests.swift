import Metrics
import MetricsIdentity
import MetricsTestKit
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityManagement
import MultiIdentityPolicy
import TelemetryExport
import Testing

@Suite("The identity as a dimension of metrics") struct DimensionTests {
    @Test("has as many values as were named, and two more, however many users there are") func isBounded() throws {
        let metrics = TestMetrics()
        let largest = IdentityDimension(naming: [try Identity("ada@contoso.com"), try Identity("grace@contoso.com")])
        for user in ["ada@contoso.com", "Ada@Contoso.com", "grace@contoso.com"]
            + (0..<1_000).map({ "user\($0)@contoso.com" })
        {
            try withIdentity(Identity(user)) {
                Counter(label: "reports", dimensions: [largest.current], factory: metrics).increment()
            }
        }
        Counter(label: "reports", dimensions: [largest.current], factory: metrics).increment()
        let values = metrics.counters.compactMap { $0.dimensions.first { $0.0 == "identity" }?.1 }
        #expect(Set(values) == ["ada@contoso.com", "grace@contoso.com", "other", "none"])
        #expect(metrics.counters.count == 4)
        #expect(try metrics.expectCounter("reports", [("identity", "other")]).totalValue == 1_000)
        #expect(try metrics.expectCounter("reports", [("identity", "ada@contoso.com")]).totalValue == 2)
    }

    @Test("shows whose processor time it was, and what was nobody's, in as many meters") func accounts() throws {
        let (metrics, ada) = (TestMetrics(), try Identity("ada@contoso.com"))
        IdentityAccounts.isOn = true
        defer { IdentityAccounts.isOn = false }
        for user in [ada] + (try (0..<100).map { try Identity("user\($0)@contoso.com") }) { withIdentity(user) {} }
        let accounts = IdentityAccounts.snapshot()
        IdentityDimension(naming: [ada]).record(accounts, factory: metrics)
        let values = metrics.meters.flatMap { $0.dimensions.map(\.1) }
        #expect(values.count == Set(values).count)
        #expect(Set(values).isSuperset(of: ["ada@contoso.com", "other"]))
        #expect(
            Set(values).isSubset(of: ["ada@contoso.com", "other", "none", "jobs", "between pieces", "not attributed"])
        )
        let sum = metrics.meters.reduce(0) { $0 + ($1.lastValue ?? 0) }
        #expect(abs(sum - accounts.cpu / .seconds(1)) < 1e-6)
    }
}

@Suite("Account management as metrics") struct AccountMetricsTests {
    private struct Service: EnrollmentService, CredentialProvider {
        func enroll(_ credential: AccountCredential) async throws -> String? { nil }
        func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
        func unenroll(_ credential: AccountCredential) async throws {}
        func credential(
            for identity: Identity?,
            prompting: Bool,
            settings: AccountSettings
        ) async throws -> AccountCredential? { identity.map { AccountCredential($0, token: "token") } }
    }

    @Test("counts each event and times each request of its process, with few dimensions", .timeLimit(.minutes(1)))
    func countsAndTimes() async throws {
        let (metrics, idle, store) = (TestMetrics(), TestMetrics(), SQLiteAccountStore())
        let processes = [metrics, idle].map { factory in
            let feed = PolicyFeed(PolicySet(standard: .everything))
            let registry = AccountRegistry(
                accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
                store: store,
                service: Service(),
                credentials: Service()
            )
            return (registry, AccountMetrics(registry, environment: "test", factory: factory), registry.events)
        }
        for (registry, _, _) in processes { try await registry.start() }
        try processes[0].0.register(Identity("ada@contoso.com"))
        // The other process polls, and gets the event as well.
        let timers = Task { await processes[1].0.run() }
        for (_, _, events) in processes { for await event in events where event.status == .restartRequested { break } }
        timers.cancel()
        let rows = metrics.counters.map { counter in
            "\(counter.label) \(counter.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " "))"
        }
        // Other tests of this process may revoke meanwhile.
        #expect(
            Set(rows).isSuperset(of: [
                "multi_identity_events family=launch outcome=unmanaged mode=multi environment=test",
                "multi_identity_events family=request outcome=enrolled mode=multi environment=test",
                "multi_identity_events family=action outcome=restartRequested mode=multi environment=test",
            ])
        )
        #expect(metrics.timers.map(\.label) == ["multi_identity_request_duration"])
        #expect(idle.timers.isEmpty && !idle.counters.contains { $0.dimensions.contains { $0.1 == "enrolled" } })
        withExtendedLifetime(processes) {}
    }
}
