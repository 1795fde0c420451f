import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

/// The rule for work of a registered account that has no policy yet.
enum Readiness: CaseIterable {
    case open, warn, required

    func configuration(launch: Bool = false) -> ManagementConfiguration {
        .with {
            ($0.policyRequired, $0.policyWarnAbsent, $0.enrollsAtLaunch) = (self == .required, self == .warn, launch)
        }
    }
}

@Suite("A program that starts") struct LaunchTests {
    let ada = RegistryScene.account()
    private static let text = #"{"version": 1, "standard": {"log": true}}"#

    private static let cases = AccountsMode.allCases.flatMap { mode in
        Readiness.allCases.map { (mode, $0) }
    }

    @Test(
        "enrolls the user that the provider knows before it serves",
        .rule("15.8"),
        .guide("enroll at launch", "AutoEnrollOnLaunch")
    )
    func enrollsTheUser() async throws {
        let scene = RegistryScene(configuration: Readiness.required.configuration(launch: true))
        scene.service.script.withLock { $0.credential = { [ada] _, _ in AccountCredential(ada, token: "t") } }
        try await scene.registry.start()
        #expect(scene.accounts.enrolledIdentities == [ada])
        try scene.registry.admit(ada)
    }

    @Test("continues silently if it cannot, unless a policy is required", .rule("15.8"))
    func goesOnSilently() async throws {
        for (mode, readiness) in Self.cases {
            let scene = RegistryScene(mode: mode, configuration: readiness.configuration(launch: true), isRead: false)
            let ada = RegistryScene.account()
            scene.service.script.withLock { $0.credential = { _, _ in AccountCredential(ada, token: "t") } }
            scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.unreachable, "down") } }
            if readiness == .required, mode != .multi {
                await expect(throws: ManagementError.Code.policyRequired) { try await scene.registry.start() }
                #expect(scene.accounts.decide(.log, for: RegistryScene.account()).rule == .noPolicy, "nobody is let in")
            } else {
                try await scene.registry.start()
                #expect(scene.accounts.decide(.log, for: RegistryScene.account()).rule == .unlimited)
            }
            #expect(scene.accounts.decide(.log, for: ada).rule == .noPolicy)
            #expect((try? scene.registry.admit(ada)) == nil ? readiness == .required : readiness != .required)
        }
    }

    @Test("begins no work in which a revoked identity acts", .rule("1.6"))
    func beginsNoWorkOfARevokedActor() throws {
        let (scene, actor) = (RegistryScene(), RegistryScene.account())
        let acted = try ada.acted(by: actor)
        try scene.registry.admit(acted)
        IdentityRevocation.revoke(actor, for: .signedOut)
        let failure = #expect(throws: ManagementError.self) { try scene.registry.admit(acted) }
        #expect(failure?.code == .revoked && failure?.message.contains("\(actor)") == true)
        try scene.registry.admit(ada)
    }

    @Test(
        "begins no work before a required policy, and reports it once if it only warns",
        .rule("15.8"),
        .guide("enroll at launch", "AutoEnrollOnLaunch")
    )
    func beginsNoWork() async throws {
        for readiness in Readiness.allCases {
            let scene = RegistryScene(configuration: readiness.configuration())
            scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.unreachable, "down") } }
            try await scene.register(ada, until: .unreachable)
            try scene.registry.admit(nil)
            try scene.registry.admit(.nobody)
            try scene.registry.admit(RegistryScene.account())
            if readiness == .required {
                expect(throws: ManagementError.Code.policyRequired) { try scene.registry.admit(ada) }
                scene.service.script.withLock { $0.enrolling = { _ in nil } }
                await scene.pass(hours: 26)
            } else {
                try scene.registry.admit(ada)
            }
            try scene.registry.admit(ada)
            let warnings = try scene.storedEvents().count { $0.status == .policyAbsent }
            #expect(warnings == (readiness == .warn ? 1 : 0))
        }
    }

    @Test("without a credential does not start if a policy is required, unless an account is enrolled", .rule("15.8"))
    func startsWithoutACredential() async throws {
        for (mode, readiness) in Self.cases {
            let scene = RegistryScene(mode: mode, configuration: readiness.configuration(launch: true))
            scene.service.script.withLock { $0.credential = { _, _ in nil } }
            if readiness == .required, mode != .multi {
                await expect(throws: ManagementError.Code.policyRequired) { try await scene.registry.start() }
            } else {
                try await scene.registry.start()
            }
            let served = RegistryScene(mode: mode, configuration: readiness.configuration(launch: true))
            served.service.script.withLock { $0.credential = { _, _ in nil } }
            try served.accounts.enroll(ada)
            try await served.registry.start()
        }
    }

    @Test("asks with a prompt if a policy is required, and has it in force without a restart", .rule("15.8"))
    func asksWithAPrompt() async throws {
        for mode in AccountsMode.allCases {
            var configuration = Readiness.required.configuration(launch: true)
            configuration.restartsForFirstPolicy = true
            let (scene, ada) = (RegistryScene(mode: mode, configuration: configuration), RegistryScene.account())
            scene.service.script.withLock {
                $0.credential = { _, isPrompting in isPrompting ? AccountCredential(ada, token: "t") : nil }
            }
            try await scene.registry.start()
            #expect(scene.service.calls.prefix(2) == ["prompt", "enroll \(ada)"])
            #expect(scene.accounts.policy(of: ada) == .everything)
            #expect(await scene.statuses(until: .enrolled) == [.enrolled])
            try scene.registry.admit(ada)
            let statuses = try scene.storedEvents().map(\.status)
            #expect(statuses == [.registered, .enrolled], "no restart is wanted")
        }
    }

    /// The contents of the store when a program that requires a policy starts.
    enum Stored: CaseIterable { case nobody, registered, enrolled, asked }

    @Test(
        "and requires a policy waits for the managed user's in single-user mode, or does not start",
        .rule("15.8"),
        arguments: [AccountsMode.single, .oneManaged],
        Stored.allCases
    )
    func waitsForTheOnes(_ mode: AccountsMode, _ stored: Stored) async throws {
        for isThere in [true, false] {
            let ada = RegistryScene.account()
            let configuration = Readiness.required.configuration()
            let standard: Policy? = isThere ? .everything : nil
            let scene = RegistryScene(mode: mode, standard: standard, configuration: configuration)
            try scene.store.transaction { (transaction) throws(ManagementError) in
                var record = AccountRecord(ada, stored == .enrolled ? .enrolled : .registered)
                // Requested by a process that ends before it has an answer.
                if stored == .asked {
                    (record.lease, record.due) = ("another's", scene.clock.now.advanced(by: .seconds(86_400 * 30)))
                }
                if stored != .nobody { try transaction.put(record) }
            }
            let clock = Task {
                while stored == .asked, !Task.isCancelled {
                    scene.clock.advance(by: .seconds(30))
                    await Task.yield()
                }
            }
            if isThere, stored == .registered || stored == .enrolled {
                try await scene.registry.start()
                #expect(scene.accounts.enrolledIdentities == [ada])
            } else {
                let failure = await expect(throws: ManagementError.Code.policyRequired) {
                    try await scene.registry.start()
                }
                #expect(failure?.message.contains(stored == .nobody ? "No account" : "\(ada)") == true)
            }
            clock.cancel()
        }
    }

    @Test(
        "in multi-identity mode begins no work of an account without its policy, while other work continues",
        .rule("15.8")
    )
    func beginsNoWorkOfOne() async throws {
        let (scene, eve) = (RegistryScene(configuration: Readiness.required.configuration()), RegistryScene.account())
        scene.service.script.withLock {
            $0.enrolling = { account in
                if account == eve { throw EnrollmentFailure(.notLicensed, "no seat") }
                return nil
            }
        }
        try scene.registry.register(ada)
        try await scene.register(eve, until: .notLicensed)
        await eventually { scene.accounts.enrolledIdentities == [ada] }
        let next = scene.restarted(configuration: Readiness.required.configuration())
        try await next.registry.start()
        try next.registry.admit(ada)
        expect(throws: ManagementError.Code.policyRequired) { try next.registry.admit(eve) }
    }

    @Test("begins no work of a revoked identity, whatever its policy", .rule("15.8"))
    func beginsNoWorkOfTheRevoked() throws {
        let eve = RegistryScene.account()
        for readiness in Readiness.allCases {
            let scene = RegistryScene(configuration: readiness.configuration())
            try scene.accounts.enroll(eve)
            try scene.registry.admit(eve)
            IdentityRevocation.revoke(eve, for: .signedOut)
            defer { IdentityRevocation.readmit(eve) }
            expect(throws: ManagementError.Code.revoked) { try scene.registry.admit(eve) }
        }
    }

    @Test(
        "has the policies that the service gave before, and the first one requests a restart once",
        .rule("15.9", "15.10")
    )
    func hasThePoliciesThatTheServiceGave() async throws {
        let scene = RegistryScene(standard: nil)
        scene.service.script.withLock { $0.enrolling = { _ in Self.text } }
        try scene.registry.register(ada)
        #expect(await scene.statuses(until: .restartRequested) == [.enrolled, .restartRequested])
        #expect(scene.accounts.policy(of: ada)?.log == true)
        let next = RegistryScene(standard: nil, store: scene.store, clock: scene.clock, service: scene.service)
        scene.registry.abandon()
        try await next.registry.start()
        #expect(next.accounts.policy(of: ada)?.log == true)
        next.service.script.withLock { $0.checking = { _ in .replaced(Self.text + "\n") } }
        await next.pass(hours: 9)
        #expect(await next.statuses(until: .policyReplaced) == [.policyReplaced])
    }

    @Test(
        "has a first policy in force only after the restart, if set so",
        .rule("15.9"),
        .guide("a restart for the first policy")
    )
    func hasAFirstPolicyAfterTheRestart() async throws {
        let scene = RegistryScene(configuration: .with { $0.restartsForFirstPolicy = true })
        try scene.registry.register(ada)
        // The process that has its policy in force announces its enrolment, once.
        #expect(await scene.statuses(until: .restartRequested) == [.restartRequested])
        await scene.pass(hours: 9)
        #expect(await scene.statuses(until: .policyUnchanged) == [.policyUnchanged])
        #expect(scene.accounts.enrolledIdentities.isEmpty)
        #expect(scene.accounts.policy(of: ada) == .nothing)
        let next = try await scene.startedAgain()
        #expect(next.accounts.isManaged(ada))
        _ = try await next.startedAgain()
        let events = try scene.storedEvents().map(\.status)
        #expect(events == [.registered, .restartRequested, .policyUnchanged, .enrolled])
    }

    @Test("treats no text as a policy unless it is one", .rule("15.9"))
    func takesNoTextThatIsNone() async throws {
        let scene = RegistryScene()
        scene.service.script.withLock { $0.enrolling = { _ in "{}" } }
        try scene.registry.register(ada)
        #expect(await scene.statuses(until: .serviceNotified) == [.malformedAnswer, .serviceNotified])
        #expect(scene.accounts.policy(of: ada) == .nothing)
    }
}
