import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

@Suite("A registry that is disturbed") struct DisturbedRegistryTests {
    let ada = RegistryScene.account()
    private static let day = Duration.seconds(86_400)

    @Test(
        "by a change of the time of day asks neither sooner nor later, and takes no request from another process",
        .rule("15.3", "15.10"),
        arguments: [3_650, -3_650]
    )
    func byATimeOfDayThatIsSet(_ days: Int) async throws {
        // The store's clock advances by itself.
        let machine = SteppedClock()
        let scene = RegistryScene(configuration: .with { $0.jitter = 0 }, store: SQLiteAccountStore(clock: machine))
        try await scene.enroll(ada)
        scene.clock.advance(by: Self.day * days)
        var asked = AccountRecord(RegistryScene.account(), due: machine.now.advanced(by: .seconds(7 * 3_600 + 1)))
        asked.lease = "another's"
        try scene.store.transaction { [asked] (transaction) throws(ManagementError) in try transaction.put(asked) }
        for hours in [7, 1, 8] {
            machine.advance(by: .seconds(hours * 3_600))
            await scene.registry.runDue()
            let calls = scene.service.calls
            #expect(calls.count { $0 == "check \(ada)" } == (hours == 7 ? 0 : hours == 1 ? 1 : 2))
            #expect(calls.contains("enroll \(asked.identity)") == (hours != 7))
            if hours == 1 { scene.clock.advance(by: .zero - Self.day * days) }
        }
    }

    @Test("by an unavailable store begins no work if a policy is required, and otherwise does", .rule("15.8"))
    func byAStoreThatCannotTell() throws {
        for readiness in Readiness.allCases {
            let store = DisturbedStore()
            let scene = RegistryScene(configuration: readiness.configuration(), store: store)
            scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.unreachable, "down") } }
            store.fail(.all)
            if readiness == .required {
                let failure = #expect(throws: ManagementError.self) { try scene.registry.admit(ada) }
                #expect(failure?.message.contains("on purpose") == true)
            } else {
                try scene.registry.admit(ada)
            }
        }
    }

    @Test("by a full disk refuses an alias whose registration failed, as before", .rule("15.12"))
    func byAFullDisk() async throws {
        let (store, name) = (DisturbedStore(), Users.named("oid of \(ada)"))
        let scene = try await RegistryScene(store: store).enrolled(ada)
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.remove(ada, because: "left", wiping: false)
        store.fail(.changes)
        #expect(throws: ManagementError.self) { try scene.registry.register(name) }
        #expect(!scene.accounts.decide(.sendOut, for: name).isAllowed)
        store.fail(nil)
        try scene.registry.register(name)
        try IdentityRevocation.admit(name)
    }

    @Test("by a store that fails briefly removes an account that the store knows by an alias", .rule("15.11", "15.12"))
    func byAStoreThatFailsForAMoment() async throws {
        let (store, name) = (DisturbedStore(), Users.named("oid of \(ada)"))
        let scene = try await RegistryScene(store: store).enrolled(ada)
        try scene.registry.addAlias(name, of: ada)
        try scene.registry.remove(ada, because: "left", wiping: false)
        // Another process has registered it separately since.
        try store.transaction { (transaction) throws(ManagementError) in try transaction.put(AccountRecord(name)) }
        store.fail(.all, times: 1)
        try scene.registry.remove(name, because: "left", wiping: false)
        #expect(try scene.registry.account(name) == nil && IdentityRevocation.all[name] == .signedOut)
    }

    @Test("by a store that fails revokes an account that it removes by an unknown alias", .rule("15.11", "15.12"))
    func byAStoreThatFailsAtARemoval() async throws {
        let (store, name) = (DisturbedStore(), Users.named("oid of \(ada)"))
        let (scene, other) = (RegistryScene(store: store), RegistryScene(store: store))
        try await scene.enroll(ada)
        try other.registry.addAlias(name, of: ada)
        other.registry.abandon()
        store.fail(.all)
        #expect(throws: ManagementError.self) {
            try scene.registry.remove(name, because: "left", wiping: false)
        }
        store.fail(nil)
        try scene.registry.register(RegistryScene.account())
        #expect(try scene.registry.account(ada) == nil && IdentityRevocation.isRevoked(ada))
    }

    @Test(
        "by a store that fails checks again after the interval, not at once",
        .rule("15.10"),
        arguments: [DisturbedStore.Failing.all, .changes]
    )
    func byAStoreThatFails(_ failing: DisturbedStore.Failing) async throws {
        let store = DisturbedStore()
        let scene = try await RegistryScene(store: store, clock: store.clock).enrolled(ada)
        scene.clock.advance(by: Self.day)
        store.fail(.all)
        expect(throws: ManagementError.Code.storeFailed) { try scene.registry.register(RegistryScene.account()) }
        store.fail(failing)
        let before = store.asked
        let run = Task { await scene.registry.run() }
        await eventually { scene.clock.sleeperCount > 0 || store.asked - before >= 10 }
        #expect(store.asked - before < 10)
        store.fail(nil)
        scene.clock.advance(by: ManagementConfiguration().pollInterval)
        _ = await scene.statuses(until: .policyUnchanged)
        run.cancel()
        await run.value
    }

    @Test(
        "by a store that fails writes a departure as soon as the store works, and before anything else",
        .rule("15.6"),
        arguments: [AccountEventStatus.deregistered, .removed],
        [true, false]
    )
    func byAStoreThatFailsForAMoment(_ way: AccountEventStatus, byTimers: Bool) async throws {
        let store = DisturbedStore()
        let scene = try await RegistryScene(store: store, clock: store.clock).enrolled(ada)
        store.fail(.all)
        if way == .deregistered {
            IdentityRevocation.revoke(ada, for: .signedOut)
        } else {
            let registry = scene.registry
            #expect(throws: ManagementError.self) { try registry.remove(ada, because: "left", wiping: false) }
        }
        store.fail(nil)
        if byTimers {
            let run = Task { await scene.registry.run() }
            await eventually { (try? scene.registry.account(ada)) == .some(nil) }
            run.cancel()
            await run.value
        }
        IdentityRevocation.readmit(ada)
        try scene.registry.register(ada)
        // If the account signed out, the service is notified first.
        #expect(await scene.statuses(until: .enrolled).filter { $0 != .serviceNotified } == [way, .enrolled])
        #expect(scene.accounts.isManaged(ada))
    }

    @Test("by an endless request makes all other requests meanwhile, and ends at once when asked", .rule("15.2"))
    func byARequestThatHasNoEnd() async throws {
        let scene = RegistryScene(configuration: .with { ($0.maxConcurrentRequests, $0.jitter) = (2, 0) })
        let users = (0..<5).map { _ in RegistryScene.account() }
        try await scene.enroll(ada)
        for user in users {
            try await scene.enroll(user)
        }
        scene.service.script.withLock {
            $0.checking = { [ada, clock = scene.clock] identity in
                if identity == ada { await clock.sleepHeedlessly(until: WallInstant(milliseconds: .max)) }
                return .unchanged
            }
        }
        scene.clock.advance(by: .seconds(8 * 3_600))
        let run = Task { await scene.registry.run() }
        for _ in users { _ = await scene.statuses(until: .policyUnchanged) }
        // The request without an end may begin after all others have ended.
        let checked = { Set(scene.service.calls.filter { $0.hasPrefix("check") }).count }
        await eventually { checked() == 6 }
        run.cancel()
        await run.value
        #expect(checked() == 6)
    }

    @Test("by 500 registrations at once makes as many requests as allowed, and then the others", .rule("15.2"))
    func byManyRegistrations() async throws {
        let (scene, inside) = (
            RegistryScene(configuration: .with { $0.maxConcurrentRequests = 4 }), Locked((now: 0, most: 0, all: 0))
        )
        scene.service.script.withLock {
            $0.enrolling = { _ in
                inside.withLock { ($0.now, $0.most, $0.all) = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                // Long enough for the requests that do not wait.
                while inside.withLock({ $0.most < 4 }) { await Task.yield() }
                for _ in 0..<10 { await Task.yield() }
                inside.withLock { $0.now -= 1 }
                return nil
            }
        }
        for _ in 0..<500 { try scene.registry.register(RegistryScene.account()) }
        await eventually { scene.accounts.enrolledIdentities.count == 500 }
        #expect(inside.withLock { $0.most } == 4 && inside.withLock { $0.all } == 500)
    }

    @Test("by a long wipe begins no second one, even if the store fails now and then", .rule("15.6"))
    func byAWipeThatTakesLong() async throws {
        let (store, began, end) = (DisturbedStore(), Locked(0), AsyncStream.makeStream(of: Void.self))
        let scene = RegistryScene(
            store: store,
            clock: store.clock,
            wipe: { [stream = end.stream] _ in
                let number = began.next()
                // A second wipe, which must not exist, ends at once.
                if number == 1 { for await _ in stream { break } }
                return true
            }
        )
        try await scene.enroll(ada)
        try scene.registry.remove(ada, because: "left")
        for step in 0..<40 {
            // Only the renewal of the lease sleeps.
            await eventually { scene.clock.sleeperCount > 0 || began.withLock { $0 } > 1 }
            try #require(began.withLock { $0 } <= 1, "a second wipe")
            store.fail(step % 2 == 0 ? .all : nil)
            await scene.pass(hours: 0, minutes: 3)
        }
        end.continuation.yield()
        _ = await scene.statuses(until: .wiped)
        #expect(began.withLock { $0 } == 1)
    }

    @Test("by a service that calls back continues", .rule("15.1"))
    func byAServiceThatCallsBack() async throws {
        let scene = RegistryScene()
        let bob = RegistryScene.account()
        scene.service.script.withLock {
            $0.enrolling = { [ada, registry = scene.registry] identity in
                if identity == ada {
                    try registry.register(bob)
                    _ = try registry.account(ada)
                    await registry.runDue()
                    try await registry.deregister(ada, wiping: false)
                }
                return nil
            }
        }
        try scene.registry.register(ada)
        let statuses = await scene.statuses(until: .serviceNotified)
        #expect(statuses.contains(.deregistered))
        #expect(try scene.registry.account(ada) == nil && !scene.accounts.isManaged(ada))
        await eventually { scene.accounts.isManaged(bob) }
    }

    @Test("by many callers at once notifies a reader of each event once, in order and one at a time", .rule("15.7"))
    func byManyAtOnce() async throws {
        let scene = RegistryScene()
        let all = Locked<(numbers: [Int64], inside: Int, most: Int)>(([], 0, 0))
        let subscription = scene.registry.onEvent { event in
            all.withLock { seen in
                seen.inside += 1
                seen.most = max(seen.most, seen.inside)
                seen.numbers.append(event.number)
            }
            for _ in 0..<100 { _ = scene.accounts.enrolledIdentities }
            all.withLock { $0.inside -= 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try scene.registry.register(RegistryScene.account()) } }
            try await group.waitForAll()
        }
        for _ in 0..<200 { _ = await scene.statuses(until: .restartRequested) }
        await eventually { all.withLock { $0.numbers.count >= 400 && $0.inside == 0 } }
        subscription.cancel()
        let seen = all.withLock { $0 }
        #expect(seen.numbers == seen.numbers.sorted() && Set(seen.numbers).count == 400 && seen.most == 1)
    }

    @Test("by another spelling of a name knows the account", .rule("15.1", "15.10"))
    func byAnotherSpelling() async throws {
        let scene = RegistryScene()
        let spellings = try ["Zo\u{eb}@contoso.com", "ZOE\u{308}@CONTOSO.COM", "zo\u{eb}@Contoso.com"].map {
            try Identity($0)
        }
        for spelling in spellings { try scene.registry.register(spelling) }
        _ = await scene.statuses(until: .restartRequested)
        #expect(try scene.registry.registeredAccounts().count == 1)
        #expect(scene.service.calls.count == 1 && scene.accounts.enrolledIdentities.count == 1)
        for spelling in spellings { #expect(try scene.registry.account(spelling)?.identity.name == spellings[0].name) }
        try await scene.registry.deregister(spellings[1], wiping: false)
        #expect(scene.accounts.enrolledIdentities.isEmpty)
    }

    @Test("by another single-user registry on the same accounts enrolls one account, and reports it", .rule("15.10"))
    func byOneUserForTheSameAccounts() async throws {
        let scene = RegistryScene()
        for _ in 0..<3 { try scene.registry.register(RegistryScene.account()) }
        for _ in 0..<3 { _ = await scene.statuses(until: .restartRequested) }
        let other = RegistryScene(mode: .single, store: scene.store, clock: scene.clock, service: scene.service)
        try await other.registry.start()
        await other.registry.runDue()
        #expect(other.accounts.enrolledIdentities.count == 1)
        #expect(await other.statuses(until: .anotherIsEnrolled).last == .anotherIsEnrolled)
    }
}
