import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("Telemetry data") struct MeasuredEventTests {
    @Test(
        "is in the streams: a launch, each request with its duration, and what the runtime does, each in one process",
        .rule("18.3"),
        .guide("telemetry", "MAMTelemetryDisabled")
    )
    func isInTheStreams() async throws {
        let (scene, ada) = (RegistryScene(isRead: false), RegistryScene.account())
        let other = RegistryScene(store: scene.store, clock: scene.clock, isRead: false)
        let (lines, others) = (Locked<[String]>([]), Locked<[Duration?]>([]))
        let subscriptions = [
            scene.registry.onEvent { [origin = scene.registry.origin] event in
                guard event.origin == origin else { return }
                lines.withLock { $0.append("\(event.status)\(event.duration.map { " \($0)" } ?? "")") }
            },
            scene.accounts.onChange { change in
                if [.accountsRead, .policiesReplaced].contains(change) { lines.withLock { $0.append("\(change)") } }
            },
            other.registry.onEvent { event in others.withLock { $0.append(event.duration) } },
        ]
        try await other.registry.start()
        try await scene.registry.start()
        scene.service.script.withLock { [clock = scene.clock] in
            $0.enrolling = { _ in
                clock.advance(by: .seconds(3))
                return nil
            }
        }
        try await scene.enroll(ada)
        scene.service.script.withLock { $0.checking = { throw EnrollmentFailure(.unreachable, "no route to \($0)") } }
        await scene.pass(hours: 9)
        _ = await scene.statuses(until: .unreachable)
        try scene.registry.remove(ada, because: "left")
        _ = await scene.statuses(until: .wiped)
        await eventually { lines.withLock { $0.count == 6 } }
        #expect(
            lines.withLock { $0 } == [
                "accounts read", "enrolled 3.0 seconds", "restartRequested", "unreachable 0.0 seconds", "removed",
                "wiped",
            ]
        )
        // Another process is notified of them as well, but counts none.
        await other.registry.runDue()
        await eventually { others.withLock { $0.count == 5 } }
        #expect(others.withLock { $0.allSatisfy { $0 == nil } })
        for subscription in subscriptions { subscription.cancel() }
    }
}
