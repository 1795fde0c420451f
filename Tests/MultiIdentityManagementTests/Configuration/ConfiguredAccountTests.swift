import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("The configuration of an account", .rule("16.1")) struct ConfiguredAccountTests {
    private let ada = RegistryScene.account()

    private static func text(_ theme: String) -> String {
        "{\"version\": 1, \"parts\": [{\"audience\": \"targeted\", \"values\": {\"theme\": \"\(theme)\"}}]}"
    }

    private static let configuration = ManagementConfiguration.with { $0.jitter = 0 }

    private func configure(_ scene: RegistryScene, _ answer: @escaping @Sendable (Identity) throws -> String?) {
        scene.service.script.withLock { $0.configuring = { identity in try answer(identity) } }
    }

    private func theme(_ scene: RegistryScene, of identity: Identity? = nil) -> String? {
        scene.registry.configuration(of: identity ?? ada).string("theme")
    }

    @Test("comes with its enrolment and with each check, and is in force when its event is announced")
    func comesWithItsEnrolmentAndEachCheck() async throws {
        let scene = RegistryScene(configuration: Self.configuration)
        let seen = Locked<[String]>([])
        let subscription = scene.registry.onEvent { [ada] event in
            let theme = scene.registry.configuration(of: ada).string("theme") ?? "none"
            seen.withLock { $0.append("\(event.status) \(theme)") }
        }
        configure(scene) { _ in Self.text("dark") }
        #expect(theme(scene) == nil)
        try scene.registry.register(ada)
        // The configuration is read when an event is announced, by whichever thread notifies: wait for each event.
        await eventually { seen.withLock { $0.count == 3 } }
        await scene.pass(hours: 8)
        await eventually { seen.withLock { $0.count == 4 } }
        configure(scene) { _ in Self.text("light") }
        await scene.pass(hours: 8)
        await eventually { seen.withLock { $0.count == 6 } }
        scene.service.script.withLock { $0.checking = { _ in .replaced(nil) } }
        configure(scene) { _ in nil }
        await scene.pass(hours: 8)
        await eventually { seen.withLock { $0.count == 8 } }
        subscription.cancel()
        #expect(
            seen.withLock { $0 } == [
                "enrolled dark", "configurationReplaced dark", "restartRequested dark", "policyUnchanged dark",
                "policyUnchanged dark", "configurationReplaced light", "policyReplaced none",
                "configurationReplaced none",
            ]
        )
    }

    @Test("stays if the service fails or gives an unreadable one, and an event says so")
    func staysWhereTheServiceFails() async throws {
        let scene = RegistryScene(configuration: Self.configuration)
        configure(scene) { _ in Self.text("dark") }
        try await scene.enroll(ada)
        configure(scene) { _ in "no JSON: s3cret" }
        let events = Locked<[AccountEvent]>([])
        let subscription = scene.registry.onEvent { event in events.withLock { $0.append(event) } }
        await scene.pass(hours: 8)
        configure(scene) { _ in throw EnrollmentFailure(.unreachable, "no route") }
        await scene.pass(hours: 8)
        await eventually { events.withLock { $0.count == 4 } }
        subscription.cancel()
        let all = events.withLock { $0 }
        #expect(all.map(\.status) == [.configurationFailed, .policyUnchanged, .configurationFailed, .policyUnchanged])
        #expect((all[0].error as? EnrollmentFailure)?.status == .malformedAnswer && all[2].text == "no route")
        #expect(all.allSatisfy { !$0.text.contains("s3cret") })
        #expect(theme(scene) == "dark" && scene.accounts.isManaged(ada))
    }

    @Test("is not required for enrolment") func isNoReasonNotToEnroll() async throws {
        let scene = RegistryScene()
        configure(scene) { _ in throw EnrollmentFailure(.unreachable, "no route") }
        try scene.registry.register(ada)
        #expect(await scene.statuses(until: .restartRequested) == [.configurationFailed, .enrolled, .restartRequested])
        #expect(theme(scene) == nil && scene.accounts.isManaged(ada))
    }

    @Test("is its own alone, survives a restart, and is removed with the account") func isItsOwnAlone() async throws {
        let (scene, bob) = (RegistryScene(), RegistryScene.account())
        configure(scene) { [ada] in $0 == ada ? Self.text("dark") : nil }
        for account in [ada, bob] {
            try await scene.enroll(account)
        }
        let next = try await scene.startedAgain()
        for scene in [scene, next] {
            #expect(theme(scene) == "dark" && theme(scene, of: bob) == nil && theme(scene, of: .nobody) == nil)
            #expect(scene.registry.configuration(of: nil) == AppConfiguration())
        }
        try await next.registry.deregister(ada, wiping: false)
        #expect(theme(next) == nil)
        let last = try await next.startedAgain()
        #expect(theme(last) == nil && last.accounts.isManaged(bob))
    }

    @Test("is not in force for an account that is not enrolled in this process")
    func isNotInForceBeforeARestart() async throws {
        let scene = RegistryScene(configuration: .with { $0.restartsForFirstPolicy = true })
        configure(scene) { _ in Self.text("dark") }
        try await scene.enroll(ada)
        #expect(theme(scene) == nil && scene.accounts.enrolledIdentities.isEmpty)
        let next = try await scene.startedAgain()
        #expect(theme(next) == "dark")
    }

    @Test("reaches each process that shares the store") func reachesEachProcess() async throws {
        let scene = RegistryScene(configuration: Self.configuration)
        let other = scene.beside()
        for scene in [scene, other] { try await scene.registry.start() }
        for (hours, name) in [(0, "dark"), (8, "light")] {
            configure(scene) { _ in Self.text(name) }
            if hours == 0 { try scene.registry.register(ada) } else { await scene.pass(hours: hours) }
            _ = await scene.statuses(until: .configurationReplaced)
            #expect(theme(scene) == name)
            await other.registry.runDue()
            #expect(theme(other) == name)
        }
    }
}
