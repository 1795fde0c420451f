import Foundation
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

/// Two processes on one store, in which accounts come, fail, are named, leave and come back.
private final class KnownAccounts {
    let seed: UInt64
    private var dice: Dice
    private let mode: AccountsMode
    private let configuration: ManagementConfiguration
    private var processes: [RegistryScene]
    private let accounts = (0..<3).map { _ in RegistryScene.account() }
    private var names: [Identity] = []
    private(set) var steps: [String] = []
    private(set) var faults: [String] = []
    /// The answers by the rule that gave them.
    private(set) var answers: [String: Int] = [:]

    init(_ seed: UInt64) async throws {
        self.seed = seed
        var dice = Dice(seed)
        mode = AccountsMode.allCases[dice.below(AccountsMode.allCases.count)]
        var configuration = ManagementConfiguration()
        configuration.restartsForFirstPolicy = dice.below(4) == 0
        self.configuration = configuration
        let first = RegistryScene(mode: mode, configuration: configuration, isRead: false)
        let other = RegistryScene(
            mode: mode,
            configuration: configuration,
            store: first.store,
            clock: first.clock,
            service: first.service,
            isRead: false
        )
        processes = [first, other]
        self.dice = dice
        for process in processes { try await process.registry.start() }
    }

    func play(_ count: Int) async throws {
        for _ in 0..<count where faults.isEmpty {
            try await step()
            await settle()
            try check()
        }
    }

    private func step() async throws {
        let number = dice.below(2)
        let (process, account) = (processes[number], accounts[dice.below(accounts.count)])
        let kind = dice.below(14)
        steps.append("\(kind) by \(number) of \(account)")
        switch kind {
        case 0...2:
            let answer = dice.below(6)
            process.service.script.withLock { $0.enrolling = { try Self.answer(answer, to: $0) } }
            try? process.registry.register(account)
        case 3:
            let answer = dice.below(6)
            process.service.script.withLock { $0.checking = { .replaced(try Self.answer(answer, to: $0)) } }
            await process.pass(hours: 30)
        case 4: try? process.registry.remove(account, because: "left", wiping: dice.below(2) == 0)
        case 5: try? await process.registry.deregister(account, wiping: dice.below(2) == 0)
        case 6:
            let name = RegistryScene.account()
            if (try? process.registry.addAlias(name, of: account)) != nil { names.append(name) }
        case 7...8:
            let (standard, allowed) = (dice.below(2), dice.below(4))
            process.feed.change { [accounts] set in
                set.standard = standard == 0 ? nil : Policy(log: true)
                set.allowedAccounts = [nil, [], [accounts[0]], nil][allowed]
            }
        case 9...10:
            process.registry.abandon()
            // Whatever it was doing is done again by the next one.
            process.clock.advance(by: .seconds(3_600))
            let set = PolicySet(
                standard: process.feed.current.standard,
                allowedAccounts: process.feed.current.allowedAccounts
            )
            processes[number] = process.restarted(configuration: configuration, isRead: false)
            processes[number].feed.publish(set)
            try await processes[number].registry.start()
        case 11:
            for reason in [IdentityRevocation.Reason.signedOut, .wiped] {
                IdentityRevocation.readmit(account, after: reason)
            }
        case 12: IdentityRevocation.revoke(account, for: .signedOut)
        default:
            // As of a later release, or damaged.
            try process.store.transaction { (transaction) throws(ManagementError) in
                guard var record = try transaction.account(account), record.stage == .enrolled else { return }
                record.policyText = "?"
                try transaction.put(record)
            }
        }
    }

    private static func answer(_ number: Int, to account: Identity) throws -> EnrolledPolicy {
        switch number {
        case 0: .text(#"{"version": 1, "identities": {"\#(account.name)": {"log": true}}}"#)
        case 1: .text(#"{"version": 1, "identities": {"\#(account.name)": {"log": false}}}"#)
        case 2: .fromSource
        case 3: .text("{}")
        case 4: throw EnrollmentFailure(.notLicensed, "no seat")
        default: throw EnrollmentFailure(.unreachable, "down")
        }
    }

    /// Waits until what has begun is over, and each process has heard of it.
    private func settle() async {
        for process in processes { await process.registry.runDue() }
        // Of those who leave as well: a wipe that ends between two looks would have an account be known and not.
        await eventually {
            let accounts = try? processes[0].store.reading { (transaction) throws(ManagementError) in
                try transaction.accounts(nil)
            }
            return accounts?.allSatisfy { $0.lease == nil } ?? false
        }
        for process in processes { await process.registry.runDue() }
    }

    private func known() throws -> Set<Identity> {
        let accounts = try processes[0].store.reading { (transaction) throws(ManagementError) in
            try transaction.accounts(nil)
        }
        // Whom the service is only to be notified of has left.
        return Set(accounts.lazy.filter { $0.stage != .leaving }.map(\.identity))
    }

    private func check() throws {
        let (before, stranger) = (try known(), RegistryScene.account())
        for (number, process) in processes.enumerated() {
            func isKnown(_ name: Identity) -> Bool { process.registry.identity(named: name) != name }
            var unlimited: [Identity: PolicyDecision] = [:]
            for identity in before.union(names.filter(isKnown)) {
                let decision = process.accounts.decide(.log, for: identity)
                answers[decision.rule.name, default: 0] += 1
                let inward = process.accounts.decide(.share(with: identity), for: stranger)
                for decision in [decision, inward] where decision.rule == .unlimited { unlimited[identity] = decision }
            }
            // What a wipe that ended meanwhile has left behind is rightly known no more.
            let after = unlimited.isEmpty ? [] : try known()
            for (identity, decision) in unlimited where after.contains(identity) || isKnown(identity) {
                faults.append("in \(number): \(decision)")
            }
            let decision = process.accounts.decide(.log, for: stranger)
            if decision.rule != .unlimited { faults.append("in \(number), who was never seen: \(decision)") }
        }
    }
}

@Suite("An account that the registry knows") struct KnownAccountsTests {
    /// More by a variable, as once in a long while.
    private static let count =
        ProcessInfo.processInfo.environment["MULTI_IDENTITY_KNOWN_SEQUENCES"].flatMap(UInt64.init) ?? 500

    @Test("has limits in each process, whatever happens to it", .rule("8.1"))
    func hasLimits() async throws {
        var answers: [String: Int] = [:]
        for seed in 1...Self.count {
            let sequence = try await KnownAccounts(seed)
            try await sequence.play(16)
            #expect(sequence.faults == [], "seed \(seed), after \(sequence.steps)")
            answers.merge(sequence.answers, uniquingKeysWith: +)
            if !sequence.faults.isEmpty { break }
        }
        print("known accounts, seeds 1 to \(Self.count): \(answers.sorted { $0.key < $1.key })")
        for rule in ["log", "noPolicy", "revoked"] { #expect(answers[rule] ?? 0 > 0, "\(rule) is never met") }
    }

    private static let failures: [AccountEventStatus] = [
        .notLicensed, .notTargeted, .wrongAccount, .unreachable, .timedOut, .malformedAnswer, .failed,
    ]

    @Test(
        "and whose enrolment was refused has no more rights than before, in the other process as well",
        .rule("8.1"),
        arguments: AccountsMode.allCases,
        failures
    )
    func isRefused(_ mode: AccountsMode, _ status: AccountEventStatus) async throws {
        let (ada, gate) = (RegistryScene.account(), Promise<Void>())
        let scene = RegistryScene(mode: mode)
        let other = RegistryScene(mode: mode, store: scene.store, clock: scene.clock, service: scene.service)
        for scene in [scene, other] { try await scene.registry.start() }
        scene.service.script.withLock {
            $0.enrolling = { _ in
                await gate.wait()
                throw EnrollmentFailure(status, "refused")
            }
        }
        func expectNothing() async {
            await other.registry.runDue()
            for scene in [scene, other] {
                scene.feed.change { $0.policies[ada] = .everything }
                #expect(scene.accounts.decide(.log, for: ada).rule == .noPolicy, "whatever the program has for it")
                scene.feed.change { $0.policies[ada] = nil }
                #expect(scene.accounts.isManaged(ada) && scene.accounts.enrolledIdentities.isEmpty)
            }
        }
        try scene.registry.register(ada)
        await expectNothing()
        gate.give(())
        _ = await scene.statuses(until: status)
        await expectNothing()
        let next = scene.restarted()
        try await next.registry.start()
        #expect(next.accounts.decide(.log, for: ada).rule == .noPolicy)
        try await next.registry.deregister(ada, wiping: false)
        for scene in [next, other] {
            await scene.registry.runDue()
            #expect(scene.accounts.decide(.log, for: ada).rule == .unlimited, "as who was never seen")
        }
    }

    /// What becomes of the policy of an account that is enrolled.
    enum Loss: String, CaseIterable { case list, standard, text, another }

    @Test(
        "and that cannot be enrolled again is under nothing, before and after a restart",
        .rule("8.1", "8.4"),
        arguments: AccountsMode.allCases,
        Loss.allCases
    )
    func cannotBeEnrolledAgain(_ mode: AccountsMode, _ loss: Loss) async throws {
        if loss == .another, mode == .multi { return }
        let (ada, bob) = (RegistryScene.account(), RegistryScene.account())
        let scene = RegistryScene(mode: mode)
        scene.service.script.withLock {
            $0.enrolling = { _ in loss == .text ? .text(#"{"version": 1, "standard": {"log": true}}"#) : .fromSource }
        }
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        var set = scene.feed.current
        switch loss {
        case .list: set.allowedAccounts = [bob]
        case .standard: set.standard = nil
        case .text, .another: break
        }
        try scene.store.transaction { (transaction) throws(ManagementError) in
            if loss == .another { try transaction.put(AccountRecord(bob, .enrolled)) }
            guard loss == .text, var record = try transaction.account(ada) else { return }
            record.policyText = "none"
            try transaction.put(record)
        }
        scene.feed.publish(set)
        let next = scene.restarted(isRead: false)
        next.feed.publish(loss == .text || loss == .another ? next.feed.current : set)
        try await next.registry.start()
        await next.registry.runDue()
        let scenes = loss == .text || loss == .another ? [next] : [scene, next]
        for scene in scenes {
            for account in loss == .another ? [ada, bob].filter({ !scene.accounts.isEnrolled($0) }) : [ada] {
                #expect(scene.accounts.isManaged(account) && scene.accounts.policy(of: account) == .nothing)
                #expect(!scene.accounts.decide(.log, for: account).isAllowed)
            }
        }
        if loss != .another {
            #expect(next.accounts.enrolledIdentities == [ada])
            #expect(next.accounts.levels.process == (mode == .single ? ada : nil))
        }
    }

    @Test(
        "and that is off the list has each policy that its service gives, and is not taken for one nobody hears of",
        .rule("8.4", "15.14")
    )
    func hearsWhileOffTheList() async throws {
        let ada = RegistryScene.account()
        let scene = RegistryScene()
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        scene.feed.change { $0.allowedAccounts = [] }
        let text = #"{"version": 1, "standard": {"log": true}}"#
        scene.service.script.withLock { $0.checking = { _ in .replaced(.text(text)) } }
        scene.clock.advance(by: .seconds(9 * 3_600))
        let before = try scene.registry.account(ada)?.policyConfirmed
        await scene.registry.runDue()
        let record = try #require(try scene.registry.account(ada))
        #expect(record.policyText == text && record.policyConfirmed != before && record.stage == .enrolled)
        #expect(!scene.accounts.decide(.log, for: ada).isAllowed)
    }
}
