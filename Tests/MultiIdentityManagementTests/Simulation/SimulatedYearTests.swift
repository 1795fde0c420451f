import Foundation
import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Testing

/// A year of a machine with two processes whose accounts' service is silent for weeks, judged by the time that really passes.
@Suite("A simulated year") struct SimulatedYearTests {
    private static let accounts =
        ProcessInfo.processInfo.environment["MULTI_IDENTITY_YEAR_ACCOUNTS"].flatMap(Int.init) ?? 4

    @Test("has no early wipe and no late block, though clocks are set and the machine starts anew", .rule("15.14"))
    func hasNoEarlyWipeAndNoLateBlock() async throws {
        let world = try YearOfSilence(seed: 1, accounts: Self.accounts)
        for _ in 0..<(365 * 6) { try await world.passFourHours() }
        print(world.summary)
        #expect(world.judge.withLock { $0.faults.isEmpty }, "\(world.judge.withLock { $0.faults.prefix(8) })")
        let (blocks, wipes, answers) = world.judge.withLock { ($0.blocks, $0.wipes, $0.answers) }
        #expect(blocks >= Self.accounts && wipes > 0 && answers > 0 && world.restarts > 20 && world.settings > 20)
    }
}

private final class YearOfSilence {
    private static let (day, step) = (Int64(86_400_000), Int64(4 * 3_600_000))
    private static let limits = (block: 14 * day, wipe: 40 * day)

    /// What is known of an account by the time that really passed.
    struct Life {
        /// The last answer that confirmed its policy; `nil` while it is not enrolled.
        var heard: Int64?
        var silentUntil = Int64(0)
        var answersUntil = Int64(0)
        var isBlocked = false
        var failedSinceBlock = 0
        /// The time that the machine was off since it was heard, which no clock may count, and whether one was set forward then.
        var off = Int64(0)
        var wasSetForward = false
        /// What was known before the last answer: an event of the same step can have come before that.
        var before: (heard: Int64?, wasSetForward: Bool) = (nil, false)
    }

    struct Judge {
        var lives: [Identity: Life] = [:]
        var faults: [String] = []
        var (blocks, wipes, answers, early) = (0, 0, 0, 0)
    }

    private final class Time: Sendable {
        let state = Locked((now: Int64(0), boot: "0", booted: Int64(0)))
        let clock = SteppedClock()
        var now: Int64 { state.withLock { $0.now } }
    }

    private final class Company: EnrollmentService, CredentialProvider, Sendable {
        private let time: Time
        private let judge: Locked<Judge>
        private let dice: Locked<Dice>

        init(_ time: Time, _ judge: Locked<Judge>, _ seed: UInt64) {
            (self.time, self.judge, dice) = (time, judge, Locked(Dice(seed)))
        }

        /// Answers, or is silent for up to 60 days.
        private func answer(_ identity: Identity) throws {
            let now = time.now
            let isSilent = judge.withLock { judge in
                var life = judge.lives[identity] ?? Life()
                defer { judge.lives[identity] = life }
                if now >= max(life.silentUntil, life.answersUntil) {
                    let (answers, silent) = dice.withLock { dice in (dice.below(15), dice.below(61)) }
                    life.answersUntil = now + Int64(answers) * day
                    life.silentUntil = life.answersUntil + Int64(silent) * day
                }
                if now >= life.answersUntil {
                    if life.isBlocked { life.failedSinceBlock += 1 }
                    return true
                }
                life.before = (life.heard, life.wasSetForward)
                life.heard = now
                (life.isBlocked, life.failedSinceBlock, life.off, life.wasSetForward) = (false, 0, 0, false)
                judge.answers += 1
                return false
            }
            if isSilent { throw EnrollmentFailure(now % 2 == 0 ? .unreachable : .notLicensed, "silent") }
        }

        func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy {
            try answer(credential.identity)
            return .fromSource
        }

        func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer {
            try answer(credential.identity)
            return .unchanged
        }

        func unenroll(_ credential: AccountCredential) async throws {}

        func credential(for identity: Identity?, prompting: Bool, settings: AccountSettings) async throws
            -> AccountCredential?
        { identity.map { AccountCredential($0, token: "t") } }
    }

    let judge = Locked(Judge())
    private(set) var (restarts, settings) = (0, 0)
    private let folder: DatabaseFolder
    private let time = Time()
    private let company: Company
    private let users: [Identity]
    private var dice: Dice
    private var processes: [AccountRegistry?] = [nil, nil]
    private var downUntil: [Int64] = [0, 0]
    private var lastEvent = Int64(0)
    /// The last moment when a process ran, and when the time of day was set forward.
    private var (lastUp, lastSetForward) = (Int64(0), Int64.min / 2)
    private var store: SQLiteAccountStore

    init(seed: UInt64, accounts: Int) throws {
        folder = try DatabaseFolder()
        company = Company(time, judge, seed)
        users = try (0..<accounts).map { try Identity("user\($0)@year\(seed).example") }
        dice = Dice(seed)
        store = try Self.store(folder, time)
        print("seed \(seed), \(accounts) accounts")
    }

    var summary: String {
        let (blocks, wipes, early) = judge.withLock { ($0.blocks, $0.wipes, $0.early) }
        return "\(blocks) blocks, \(early) of them early by a clock set while the machine was off; \(wipes) wipes; "
            + "\(restarts) starts of the machine, clocks set \(settings) times"
    }

    func passFourHours() async throws {
        time.state.withLock { $0.now += Self.step }
        time.clock.advance(by: .milliseconds(Self.step))
        if dice.below(40) == 0 { set() }
        if dice.below(60) == 0 { try restart() }
        for index in processes.indices {
            if dice.below(50) == 0 { end(index, for: Int64(dice.below(20)) * Self.step) }
            if processes[index] == nil, downUntil[index] <= time.now { try await start(index) }
            guard let registry = processes[index] else { continue }
            lastUp = time.now
            try signIn()
            await registry.runDue()
            try judgeEvents()
        }
        for case let registry? in processes {
            await registry.runDue()
            try judgeEvents()
            look(at: registry)
        }
    }

    /// Sets the time of day, by up to 400 days.
    private func set() {
        settings += 1
        let days = Int64(dice.below(801) - 400)
        if days > 0 { lastSetForward = time.now }
        time.clock.advance(by: .milliseconds(days * Self.day))
    }

    /// Has the machine be off for up to a day, with another time of day after that.
    private func restart() throws {
        restarts += 1
        let off = Int64(dice.below(7)) * Self.step
        for index in processes.indices { end(index, for: off) }
        time.state.withLock { [restarts] in $0 = ($0.now + off, "\(restarts)", $0.now + off) }
        let setting = dice.below(3) == 0 ? Int64(dice.below(801) - 400) * Self.day : 0
        time.clock.advance(by: .milliseconds(off + setting))
        store = try Self.store(folder, time)
        // Since the store was last written, which each check does, there is only the time of day.
        let unknown = time.now - lastUp + 3 * Self.step
        let isSetForward = setting > 0 || lastSetForward > time.now - unknown
        judge.withLock { judge in
            for user in judge.lives.keys {
                judge.lives[user]?.off += unknown
                if isSetForward { judge.lives[user]?.wasSetForward = true }
            }
        }
    }

    private func end(_ index: Int, for downtime: Int64) {
        processes[index]?.abandon()
        processes[index] = nil
        downUntil[index] = time.now + downtime
    }

    private static func store(_ folder: DatabaseFolder, _ time: Time) throws -> SQLiteAccountStore {
        let clock = StoreClock(
            boot: time.state.withLock { $0.boot },
            wall: { time.clock.now.milliseconds },
            ticks: { time.state.withLock { $0.now - $0.booted } }
        )
        return try SQLiteAccountStore(folder.database, patience: .seconds(10), time: clock)
    }

    private func start(_ index: Int) async throws {
        let feed = PolicyFeed(PolicySet(standard: .everything))
        let registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
            store: try Self.store(folder, time),
            service: company,
            credentials: company,
            policies: feed,
            configuration: .with { $0.offlineWipe = .milliseconds(Self.limits.wipe) },
            clock: time.clock,
            wipe: { [judge, time] identity in
                judge.withLock { Self.isWiped(identity, at: time.now, &$0) }
                return true
            }
        )
        try await registry.start()
        await registry.runDue()
        processes[index] = registry
        try judgeEvents()
        look(at: registry)
    }

    /// Signs in whoever has left.
    private func signIn() throws {
        for user in users where judge.withLock({ $0.lives[user]?.heard == nil }) {
            try store.transaction { [time] (transaction) throws(AccountStoreError) in
                guard try transaction.account(user) == nil else { return }
                IdentityRevocation.readmit(user)
                var record = AccountRecord(user, due: time.clock.now)
                record.life = try transaction.lastEvent() + 1
                try transaction.put(record)
            }
        }
    }

    private func judgeEvents() throws {
        let events = try store.reading { [lastEvent] (transaction) throws(AccountStoreError) in
            try transaction.events(after: lastEvent, limit: .max)
        }
        let now = time.now
        judge.withLock { judge in
            for event in events {
                guard var life = judge.lives[event.identity] else { continue }
                let isHeard = life.heard == now
                let (heard, wasSetForward) = isHeard ? life.before : (life.heard, life.wasSetForward)
                let silence = heard.map { now - $0 } ?? 0
                switch event.status {
                case .blocked:
                    judge.blocks += 1
                    if life.isBlocked { judge.faults.append("\(event.identity) is blocked twice") }
                    if silence < Self.limits.block { judge.early += 1 }
                    if silence < Self.limits.block, !wasSetForward {
                        judge.faults.append("\(event.identity) is blocked after \(silence / Self.day) days")
                    }
                    life.isBlocked = !isHeard
                case .removed:
                    Self.isWiped(event.identity, at: now, &judge)
                    judge.wipes += 1
                    life = judge.lives[event.identity] ?? life
                    (life.heard, life.isBlocked) = (nil, false)
                default: break
                }
                judge.lives[event.identity] = life
            }
        }
        lastEvent = events.last?.number ?? lastEvent
    }

    private static func isWiped(_ identity: Identity, at now: Int64, _ judge: inout Judge) {
        guard let life = judge.lives[identity], let heard = life.heard else { return }
        if now - heard < limits.wipe || life.failedSinceBlock < 2 {
            let days = (now - heard) / day
            judge.faults.append("\(identity) is wiped after \(days) days, \(life.failedSinceBlock) failed checks")
        }
    }

    /// Expects that who is silent for too long is refused, and who was heard is not.
    private func look(at registry: AccountRegistry) {
        let now = time.now
        for user in users {
            guard let life = judge.withLock({ $0.lives[user] }), let heard = life.heard else { continue }
            let isAdmitted = (try? registry.admit(user)) != nil
            let isAllowed = registry.accounts.decide(.sendOut, for: user).isAllowed
            let isLate = now - heard > Self.limits.block + Self.step + life.off
            let what = "\(user), silent for \(Double(now - heard) / Double(Self.day)) days"
            judge.withLock { judge in
                if isAdmitted != isAllowed {
                    judge.faults.append("\(what): admitted \(isAdmitted), allowed \(isAllowed)")
                }
                if isLate, isAllowed { judge.faults.append("\(what), is not blocked at \(now)") }
                if !life.isBlocked, !isAdmitted {
                    judge.faults.append("\(what), is blocked without an event at \(now)")
                }
            }
        }
    }
}
