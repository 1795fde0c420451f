import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

extension RegisteredAccountTests {
    @Test("has the service's text escaped and truncated in each event, with the error as well", .rule("15.7"))
    func hasTheServicesTextEscaped() async throws {
        let scene = RegistryScene()
        let text = "no \"seat\"\r\n\u{1B}[2J\u{202E}" + String(repeating: "é", count: 2_000)
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.notLicensed, text) } }
        let read = Locked<[AccountEvent]>([])
        let subscription = scene.registry.onEvent { event in read.withLock { $0.append(event) } }
        try scene.registry.register(ada)
        await eventually { read.withLock { $0.count == 1 } }
        subscription.cancel()
        let event = try #require(read.withLock { $0.first })
        let expected = "no \"seat\"\\r\\n\\u{1B}[2J\\u{202E}" + String(repeating: "é", count: 984) + "…"
        #expect(event.text == expected && (event.error as? EnrollmentFailure)?.text == expected)
        let stored = try scene.storedEvents()
        #expect(stored.map(\.text) == ["the account is registered", expected])
    }

    @Test("says in each event which request it ends, in each process", .rule("15.7"))
    func saysWhichRequestItEnds() async throws {
        let (scene, read) = (RegistryScene(), Locked<[AccountEvent]>([]))
        let other = RegistryScene(store: scene.store, clock: scene.clock, service: scene.service)
        let subscription = other.registry.onEvent { event in read.withLock { $0.append(event) } }
        await other.registry.runDue()
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.unreachable, "down") } }
        try await scene.register(ada, until: .unreachable)
        scene.service.script.withLock {
            $0.enrolling = { _ in nil }
            $0.checking = { _ in throw EnrollmentFailure(.unreachable, "down") }
        }
        await scene.pass(hours: 26)
        await scene.pass(hours: 9)
        try await scene.registry.deregister(ada)
        let wiped = await scene.statuses(until: .wiped)
        if !wiped.contains(.serviceNotified) { _ = await scene.statuses(until: .serviceNotified) }
        await other.registry.runDue()
        subscription.cancel()
        let ends = read.withLock { $0 }.map { ($0.status, $0.request) }
        let expected: [(AccountEventStatus, AccountRequest?)] = [
            (.unreachable, .enrolment), (.enrolled, .enrolment), (.restartRequested, nil), (.unreachable, .policyCheck),
            (.deregistered, nil), (.wipeBegan, nil),
        ]
        #expect(ends.prefix(6).elementsEqual(expected, by: ==))
        #expect(Dictionary(uniqueKeysWithValues: ends.suffix(2)) == [.wiped: .wipe, .serviceNotified: .unenrolment])
    }

    @Test("has each event once and in order, for each reader, with the error", .rule("15.7"))
    func hasEachEventOnce() async throws {
        let scene = RegistryScene()
        let numbers = Locked<[Int64]>([])
        let other = scene.registry.onEvent { event in numbers.withLock { $0.append(event.number) } }
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.notLicensed, "no seat") } }
        let read = Locked<[AccountEvent]>([])
        let subscription = scene.registry.onEvent { event in read.withLock { $0.append(event) } }
        try await scene.register(ada, until: .notLicensed)
        for _ in 0..<3 { await scene.pass(hours: 30) }
        await eventually { read.withLock { $0.count == 4 } }
        for reader in [subscription, other] { reader.cancel() }
        let events = read.withLock { $0 }
        #expect(events.map(\.number) == [2, 3, 4, 5] && numbers.withLock { $0 } == [2, 3, 4, 5])
        #expect(events.allSatisfy { $0.identity == ada && $0.text == "no seat" })
        #expect(events.allSatisfy { ($0.error as? EnrollmentFailure)?.status == .notLicensed })
    }

    @Test("is audited: each request that changes something, only in the process that made it", .rule("8.7"))
    func isAudited() async throws {
        let (auditor, other) = (RecordingAudit(), RecordingAudit())
        let scene = RegistryScene(audit: auditor)
        let second = RegistryScene(store: scene.store, clock: scene.clock, service: scene.service, audit: other)
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.notLicensed, "no seat") } }
        try await scene.register(ada, until: .notLicensed)
        scene.service.script.withLock { $0.enrolling = { _ in nil } }
        await scene.pass(hours: 26)
        await scene.pass(hours: 9)
        await second.registry.runDue()
        await eventually { auditor.requests.count == 3 }  // by whichever thread is telling of events
        #expect(
            auditor.requests == [
                "notLicensed: no seat", "enrolled: the account is enrolled",
                "restartRequested: the first policy has arrived",
            ]
        )
        #expect(other.requests.isEmpty)
    }
}
