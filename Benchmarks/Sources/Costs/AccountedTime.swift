import ArgumentParser
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityDiagnostics
import Synchronization

/// Compares the accounts with clocks of its own.
struct AccountedTime: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Checks whose processor time the accounts say it was, and what they cost.",
        discussion: """
            Each piece reads its thread's clock around its loop, and the sums are compared with the accounts; the whole is \
            compared with getrusage. The costs of a hop are pairs of blocks with accounts on and off, in turn.
            """
    )

    @Option(help: "The number of identities.")
    var identities = 1_000

    @Option(help: "The seconds of processor time of all of them.")
    var seconds = 30.0

    @Option(help: "The number of pairs of blocks of hops.")
    var pairs = 60

    func run() throws {
        var limits = Limits()
        let costs = Self.costs(pairs: pairs)
        limits.hold("accounts on, a hop more", costs.hop, atMost: 60, "ns")
        limits.hold("accounts on, a scope more", costs.scope, atMost: 100, "ns")
        IdentityAccounts.isOn = true
        let owners = try (0..<identities).map { try Identity("user\($0)@accounts.example") }
        let loops = Self.checkLoops(of: owners, seconds: seconds)
        limits.hold("the identity furthest off, by its pieces' clocks", (loops.each.max() ?? 0) * 100, atMost: 2, "%")
        limits.hold("the sum of all rows against getrusage", loops.sum * 100, atMost: 1, "%")
        let equal = Self.checkEqualLoops(of: owners, seconds: seconds).sorted()
        // What interrupts and the machine's host take from one piece is a whole window's time.
        limits.hold(
            "99 of 100 identities, with equal loops of 5 µs",
            equal[equal.count * 99 / 100] * 100,
            atMost: 2,
            "%"
        )
        print("of these the one furthest off: \(((equal.last ?? 0) * 100).figure) %")
        let waits = try Self.checkWaits()
        limits.hold("what sleepers between workers are charged, of the workers' time", waits * 100, atMost: 10, "%")
        let tasks = Self.checkTasks(of: owners, seconds: seconds / 3)
        limits.hold("of tasks, the identity furthest off", (tasks.each.max() ?? 0) * 100, atMost: 2, "%")
        limits.hold("of tasks, what is no identity's", tasks.rest * 100, atMost: 1, "%")
        try limits.end()
    }

    // MARK: Clocks

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static var used: UInt64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        return UInt64(seconds) * 1_000_000_000 + UInt64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1_000
    }

    @inline(never)
    private static func loop(_ count: Int) -> UInt64 {
        var value: UInt64 = 1
        for _ in 0..<count { value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
        return value
    }

    /// The number of rounds of the loop in a microsecond, roughly.
    private static let roundsInMicrosecond: Double = {
        let began = time(CLOCK_THREAD_CPUTIME_ID)
        blackHole.store(loop(20_000_000), ordering: .relaxed)
        return 20_000_000 / (Double(time(CLOCK_THREAD_CPUTIME_ID) - began) / 1_000)
    }()
    private static let blackHole = Atomic<UInt64>(0)

    private static func loop(microseconds: Double) {
        blackHole.store(loop(Int(microseconds * roundsInMicrosecond)), ordering: .relaxed)
    }

    /// What handed-over work was charged; scopes, in which this program wakes workers, do not count.
    private static func charged(to owners: [Identity]) -> [Double] {
        let rows = IdentityAccounts.snapshot().rows.filter { $0.boundary != nil }
        let spent = Dictionary(rows.map { ($0.holder, $0.cpu) }, uniquingKeysWith: +)
        return owners.map { (spent[.identity($0)] ?? .zero) / .nanoseconds(1) }
    }

    // MARK: Checks

    /// Runs pieces of 100 µs to 3 ms on four serial queues and the global one, some with another identity's in them.
    ///
    /// - Returns: The distance of each identity from what its pieces measured, and of all rows from what the process used.
    private static func checkLoops(of owners: [Identity], seconds: Double) -> (each: [Double], sum: Double) {
        let queues = (0..<4).map { IdentityQueue(label: "loops \($0)") } + [IdentityQueue.global()]
        let (measured, group) = (owners.map { _ in MeasuredTime() }, DispatchGroup())
        let snapshots = owners.map { owner in withIdentity(owner) { IdentitySnapshot.capture() } }
        let (usedBefore, before, chargedBefore) = (used, attributed, charged(to: owners))
        for piece in 0..<max(1, Int(seconds / 0.0011 / Double(owners.count))) {
            for (number, owner) in owners.enumerated() {
                let microseconds = [100.0, 400, 1_000, 3_000][(piece + number) % 4]
                let inner = (number + 1) % owners.count
                withIdentity(owner) {
                    queues[(piece &* 31 &+ number) % queues.count].async(group: group) {
                        measured[number].add { loop(microseconds: microseconds) }
                        if piece % 4 > 0 { return }
                        snapshots[inner].restore { measured[inner].add { loop(microseconds: 200) } }
                    }
                }
            }
            group.wait()
        }
        let (usedAfter, after, charges) = (used, attributed, charged(to: owners))
        let each = owners.indices.map { index in
            abs((charges[index] - chargedBefore[index]) / Double(measured[index].nanoseconds) - 1)
        }
        return (each, abs((after - before) / Double(usedAfter - usedBefore) - 1))
    }

    /// The sum of all rows, but for what is calculated as the rest.
    private static var attributed: Double {
        IdentityAccounts.snapshot().rows.filter { $0.holder != .notAttributed }.reduce(0) {
            $0 + $1.cpu / .nanoseconds(1)
        }
    }

    /// The processor time that one identity's pieces measured themselves.
    private final class MeasuredTime: Sendable {
        private let sum = Atomic<UInt64>(0)
        var nanoseconds: UInt64 { sum.load(ordering: .relaxed) }

        func add(_ work: () -> Void) {
            let began = AccountedTime.time(CLOCK_THREAD_CPUTIME_ID)
            work()
            sum.add(AccountedTime.time(CLOCK_THREAD_CPUTIME_ID) - began, ordering: .relaxed)
        }
    }

    /// Runs equal loops of all identities in turn, far shorter than a window, and returns their distances from the mean.
    private static func checkEqualLoops(of owners: [Identity], seconds: Double) -> [Double] {
        let (queue, spent) = (DispatchQueue(label: "equal loops"), charged(to: owners))
        let work = owners.map { owner in
            withIdentity(owner) { IdentitySnapshot.capture().wrap { loop(microseconds: 5) } }
        }
        for _ in 0..<Int(seconds / 5e-6 / Double(owners.count)) {
            queue.async { loop(microseconds: 50) }  // the first piece after a pause takes longer
            for work in work { queue.async(execute: work) }
            queue.sync {}
        }
        let charges = zip(charged(to: owners), spent).map { $0 - $1 }
        let mean = charges.reduce(0, +) / Double(charges.count)
        return charges.map { abs($0 / mean - 1) }
    }

    /// Runs a task of each identity on an executor of ours, which suspends every 2 ms.
    ///
    /// - Returns: The distance of each identity from what its task measured, and what was charged to none, of the whole.
    private static func checkTasks(of owners: [Identity], seconds: Double) -> (each: [Double], rest: Double) {
        let (executor, measured) = (IdentityTaskExecutor(on: .global()), owners.map { _ in MeasuredTime() })
        let (usedBefore, before, group) = (used, charged(to: owners), DispatchGroup())
        for (number, owner) in owners.enumerated() {
            group.enter()
            Task(executorPreference: executor) {
                await withIdentity(owner) {
                    for _ in 0..<max(1, Int(seconds / 0.002 / Double(owners.count))) {
                        measured[number].add { loop(microseconds: 2_000) }
                        await Task.yield()
                    }
                }
                group.leave()
            }
        }
        group.wait()
        let charges = zip(charged(to: owners), before).map { $0 - $1 }
        let each = owners.indices.map { abs(charges[$0] / Double(measured[$0].nanoseconds) - 1) }
        return (each, 1 - charges.reduce(0, +) / Double(used - usedBefore))
    }

    /// Runs pieces that sleep for 2 ms and pieces of half a millisecond in turn on one thread.
    private static func checkWaits() throws -> Double {
        let (sleeper, worker) = (try Identity("sleeper@accounts.example"), try Identity("worker@accounts.example"))
        let queue = IdentityQueue(label: "waits")
        for _ in 0..<1_000 {
            withIdentity(sleeper) { queue.async { usleep(2_000) } }
            withIdentity(worker) { queue.async { loop(microseconds: 500) } }
        }
        queue.sync {}
        let charges = charged(to: [sleeper, worker])
        return charges[0] / (charges[0] + charges[1])
    }

    // MARK: Costs

    /// The nanoseconds that a hop, and a scope, take more with accounts: medians of the differences of neighbouring blocks.
    private static func costs(pairs: Int) -> (hop: Double, scope: Double) {
        guard let owner = try? Identity("hops@accounts.example") else { return (0, 0) }
        let (queue, count) = (IdentityQueue(label: "hops"), 20_000)
        func hops() -> Double {
            let began = time(CLOCK_PROCESS_CPUTIME_ID)
            queue.base.suspend()
            withIdentity(owner) { for _ in 0..<count { queue.async {} } }
            queue.base.resume()
            queue.base.sync {}
            return Double(time(CLOCK_PROCESS_CPUTIME_ID) - began) / Double(count)
        }
        func scopes() -> Double {
            let began = time(CLOCK_PROCESS_CPUTIME_ID)
            for _ in 0..<count { withIdentity(owner) {} }
            return Double(time(CLOCK_PROCESS_CPUTIME_ID) - began) / Double(count)
        }
        func difference(_ block: () -> Double) -> Double {
            let differences = (0..<pairs).map { pair in
                let isOnFirst = pair % 2 == 0
                let times = [isOnFirst, !isOnFirst].map { isOn in
                    IdentityAccounts.isOn = isOn
                    return block()
                }
                return isOnFirst ? times[0] - times[1] : times[1] - times[0]
            }
            IdentityAccounts.isOn = false
            return differences.sorted()[pairs / 2]
        }
        return (difference(hops), difference(scopes))
    }
}
