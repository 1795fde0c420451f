import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import Testing

@Suite("The clock of a store", .rule("15.10")) struct StoreClockTests {
    /// A machine whose clocks a test sets.
    private final class Machine: Sendable {
        let state = Locked((wall: Int64(1_000_000), ticks: Int64(50)))

        func process(boot: String = "first") -> StoreClock {
            StoreClock(
                boot: boot,
                wall: { [state] in state.withLock { $0.wall } },
                ticks: { [state] in state.withLock { $0.ticks } }
            )
        }

        func pass(_ ticks: Int64, setting wall: Int64 = 0) {
            state.withLock { ($0.wall, $0.ticks) = ($0.wall + ticks + wall, $0.ticks + ticks) }
        }
    }

    private let machine = Machine()
    private let made = StoreClock.Kept(now: 1_000_000, elapsed: 0, wall: 1_000_000, ticks: 50, boot: "first")

    @Test(
        "advances by elapsed time, whatever the time of day is set to, in each process of the machine",
        arguments: [0, 8 * 86_400_000, -8 * 86_400_000]
    )
    func goesOnByWhatHasPassed(_ setting: Int64) {
        var kept = made
        for number in 1...3 {
            machine.pass(100, setting: setting)
            kept = machine.process().next(after: kept)
            #expect(kept.now == made.now + Int64(number) * 100 && kept.elapsed == Int64(number) * 100)
        }
        machine.pass(-1_000)
        #expect(machine.process().next(after: kept).instant == kept.instant, "ticks that go back are none")
    }

    @Test(
        "counts the time of day across a restart of the machine as uncertain, and never goes back",
        arguments: [(3_600_000, 3_600_000), (-3_600_000, 0)] as [(Int64, Int64)]
    )
    func countsTheTimeOfDay(_ setting: Int64, _ passed: Int64) {
        machine.pass(0, setting: setting)
        let next = machine.process(boot: "second").next(after: made)
        #expect(next.now == made.now + passed && next.elapsed == 0)
        machine.pass(100)
        let last = machine.process(boot: "second").next(after: next)
        #expect(last.now == next.now + 100 && last.elapsed == 100)
    }

    @Test("of a server advances by the ticks of a process that has seen it, whatever other processes store")
    func ofAServer() {
        let process = machine.process(boot: "")
        let first = process.next(after: made, by: made.wall + 10)
        #expect(first.now == made.now + 10 && first.elapsed == 0)
        machine.pass(100)
        // The server's clock was set, and another process has stored a moment since.
        var kept = first
        (kept.now, kept.elapsed) = (first.now + 40, 40)
        let next = process.next(after: kept, by: made.wall + 86_400_000)
        #expect(next.now == first.now + 100 && next.elapsed == 100)
        kept.now = next.now + 500
        #expect(process.next(after: kept, by: made.wall).now == kept.now)
    }

    @Test(
        "counts a process as running until its time has certainly passed, also when another starts and the time of day is set",
        .rule("15.11")
    )
    func hasAProcessCountAsThere() throws {
        let folder = try DatabaseFolder()
        func store() throws -> SQLiteAccountStore {
            try SQLiteAccountStore(folder.database, time: machine.process(boot: ""))
        }
        func show(_ name: String, in store: SQLiteAccountStore) throws -> [String] {
            try store.transaction { (transaction) throws(ManagementError) in
                let until = try transaction.time().elapsed + .seconds(15)
                try transaction.put(AccountProcess(name: name, settled: 0, until: until))
                return try transaction.processes().map(\.name).sorted()
            }
        }
        let first = try store()
        #expect(try show("first", in: first) == ["first"])
        machine.pass(0, setting: 2 * 86_400_000)
        let second = try store()
        #expect(try show("second", in: second) == ["first", "second"])
        let now = try second.reading { (transaction) throws(ManagementError) in try transaction.time().now }
        #expect(now.milliseconds >= made.now + 2 * 86_400_000)
        machine.pass(15_000)
        #expect(try show("second", in: second) == ["first", "second"])
        machine.pass(1)
        #expect(try show("second", in: second) == ["second"])
    }

    @Test("reads any number that a damaged store can contain") func readsAnyNumber() {
        for number in [Int64.min, -1, 0, .max] {
            for boot in ["first", "second"] {
                let kept = StoreClock.Kept(now: number, elapsed: number, wall: number, ticks: number, boot: boot)
                let next = machine.process().next(after: kept)
                #expect(next.now >= kept.now && next.elapsed >= kept.elapsed)
                _ = next.instant
            }
        }
    }

    @Test("of this machine advances by itself, and with an injected clock as that clock does")
    func ofThisMachine() throws {
        let clock = SteppedClock()
        func now(_ store: SQLiteAccountStore) throws -> StoreInstant {
            try store.reading { (transaction) throws(ManagementError) in try transaction.time() }
        }
        let (store, folder) = (SQLiteAccountStore(clock: clock), try DatabaseFolder())
        let first = try now(store)
        #expect(first.now == clock.now)
        clock.advance(by: .seconds(60))
        #expect(try now(store) == StoreInstant(now: clock.now, elapsed: .seconds(60)))
        let before = try now(SQLiteAccountStore(folder.database))
        let end = ContinuousClock.now + .milliseconds(5)
        while ContinuousClock.now < end {}
        // Another process, which has not seen the clock before.
        #expect(try now(SQLiteAccountStore(folder.database)).elapsed - before.elapsed >= .milliseconds(4))
    }
}
