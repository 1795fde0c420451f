import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("Telemetry") struct TelemetryTests {
    private final class Sink: TelemetrySink, Sendable {
        let events = Locked<[TelemetryEvent]>([])
        func record(_ event: TelemetryEvent) { events.withLock { $0.append(event) } }
        var lines: [String] {
            events.withLock { $0.map { "\($0.family) \($0.outcome)\($0.duration.map { " \($0)" } ?? "")" } }
        }
    }

    private let ada = RegistryScene.account()

    private func scene(_ sink: Sink, on isOn: Bool = true, in environment: String = "test") -> RegistryScene {
        var configuration = ManagementConfiguration()
        (configuration.telemetry, configuration.telemetryEnvironment) = (isOn, environment)
        configuration.valuesToScrub = ["hunter22"]
        return RegistryScene(configuration: configuration, telemetry: sink)
    }

    @Test(
        "tells of launches, requests with their time, and what the runtime does, and of nobody's name",
        .rule("18.3"),
        .guide("telemetry")
    )
    func tellsOfThreeFamilies() async throws {
        let sink = Sink()
        let scene = scene(sink)
        try await scene.registry.start()
        scene.service.script.withLock { [clock = scene.clock] in
            $0.enrolling = { _ in
                clock.advance(by: .seconds(3))
                return .fromSource
            }
        }
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        scene.service.script.withLock { $0.checking = { throw EnrollmentFailure(.unreachable, "no route to \($0)") } }
        await scene.pass(hours: 9)
        await eventually { sink.lines.count == 4 }
        try scene.registry.remove(ada, because: "left")
        _ = await scene.statuses(until: .wiped)
        // A policy of nobody's in particular.
        scene.feed.publish(PolicySet(standard: .nothing))
        #expect(
            sink.lines == [
                "launch unmanaged", "request enrolled 3.0 seconds", "action restartWanted",
                "request unreachable 0.0 seconds",
                "action revoked", "action removed", "action wiped", "action policiesReplaced",
            ]
        )
        for event in sink.events.withLock({ $0 }) {
            #expect(event.environment == "test" && event.mode == "multi")
            #expect(!"\(event)".contains(ada.name))
        }
        let next = Sink()
        let restarted = RegistryScene(
            configuration: scene.registry.configuration,
            telemetry: next,
            store: scene.store,
            clock: scene.clock
        )
        scene.registry.abandon()
        try await restarted.registry.start()
        #expect(next.lines == ["launch unmanaged"])
    }

    @Test(
        "is off at first: nothing is announced, and no time is taken",
        .rule("18.3"),
        .guide("telemetry", "MAMTelemetryDisabled")
    )
    func isOffAtFirst() async throws {
        let sink = Sink()
        let scene = scene(sink, on: false)
        let durations = Locked<[Duration?]>([])
        let subscription = scene.registry.onEvent { event in durations.withLock { $0.append(event.duration) } }
        try await scene.registry.start()
        try scene.registry.register(ada)
        await eventually { durations.withLock { $0.count == 2 } }
        subscription.cancel()
        #expect(sink.lines.isEmpty && durations.withLock { $0.count == 2 && $0.allSatisfy { $0 == nil } })
        #expect(!ManagementConfiguration().telemetry)
    }

    @Test("names no environment that is to be scrubbed", .rule("18.2"))
    func namesNoScrubbedEnvironment() async throws {
        let sink = Sink()
        let scene = scene(sink, in: "of hunter22")
        try await scene.registry.start()
        #expect(sink.events.withLock { $0.map(\.environment) } == ["of [scrubbed]"])
    }
}
