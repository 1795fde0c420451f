import InMemoryTracing
import Metrics
import MetricsIdentity
import MetricsTestKit
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import TelemetryExport
import Testing
import Tracing

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
}

@Suite("Exported telemetry") struct TelemetryExportTests {
    private struct Service: EnrollmentService, CredentialProvider {
        func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy { .fromSource }
        func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
        func unenroll(_ credential: AccountCredential) async throws {}
        func credential(
            for identity: Identity?,
            prompting: Bool,
            settings: AccountSettings
        ) async throws -> AccountCredential? { identity.map { AccountCredential($0, token: "token") } }
    }

    /// Has an account enrolled by a registry that tells `sink` of it.
    private func enroll(_ name: String, _ sink: any TelemetrySink, isOn: Bool = true) async throws {
        var configuration = ManagementConfiguration()
        (configuration.telemetry, configuration.telemetryEnvironment) = (isOn, "test")
        let feed = PolicyFeed(PolicySet(standard: .everything))
        let registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
            store: SQLiteAccountStore(),
            service: Service(),
            credentials: Service(),
            configuration: configuration,
            telemetry: sink
        )
        let events = registry.events
        try await registry.start()
        try registry.register(Identity(name))
        for await event in events where event.status == .restartWanted { break }
    }

    @Test("counts each event and times each request, with few dimensions") func countsAndTimes() async throws {
        let metrics = TestMetrics()
        try await enroll("ada@contoso.com", MetricsTelemetry(factory: metrics))
        let rows = metrics.counters.map { counter in
            "\(counter.label) \(counter.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " "))"
        }
        // Other tests of this process may revoke meanwhile.
        #expect(
            Set(rows).isSuperset(of: [
                "multi_identity_events family=launch outcome=unmanaged mode=multi environment=test",
                "multi_identity_events family=request outcome=enrolled mode=multi environment=test",
                "multi_identity_events family=action outcome=restartWanted mode=multi environment=test",
            ])
        )
        #expect(metrics.timers.map(\.label) == ["multi_identity_request_duration"])
        let idle = TestMetrics()
        try await enroll("grace@contoso.com", MetricsTelemetry(factory: idle), isOn: false)
        #expect(idle.counters.isEmpty && idle.timers.isEmpty)
    }

    @Test("makes a span for each event, which is as long as the request") func makesSpans() async throws {
        let tracer = InMemoryTracer()
        try await tracer.withSpan("of a user") { _ in
            try await enroll("alan@contoso.com", TracingTelemetry(tracer))
        }
        let spans = tracer.finishedSpans.filter { $0.operationName.hasPrefix("multi_identity") }
        #expect(
            Set(spans.map(\.operationName)) == [
                "multi_identity.launch", "multi_identity.request", "multi_identity.action",
            ]
        )
        for span in spans {
            #expect(
                span.attributes.get("mode") == .string("multi") && span.attributes.get("environment") == .string("test")
            )
            #expect(
                span.parentSpanID == nil
                    && span.endInstant.nanosecondsSinceEpoch >= span.startInstant.nanosecondsSinceEpoch
            )
        }
    }
}
