import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MultiIdentity

@Suite("A fair queue serves its identities in turn", .rule("4.15")) struct FairQueueTests {
    private let bob = Users.bob

    /// A clock that only the work moves, and a serial queue by it.
    private final class Clocked: Sendable {
        private let now = Atomic<UInt64>(0)

        func pass(_ nanoseconds: UInt64) { now.add(nanoseconds, ordering: .relaxed) }

        func queue(width: Int = 1, weights: (@Sendable (Identity?) -> Double)? = nil) -> IdentityQueue {
            let terms = FairTerms(clock: { self.now.load(ordering: .relaxed) }, weights: weights)
            let queue = DispatchQueue(label: "fair", attributes: width > 1 ? .concurrent : [])
            return IdentityQueue(fairly: terms, of: queue, isConcurrent: width > 1, width: width)
        }
    }

    @Test("by what their work has used, relative to their weights", arguments: [1.0, 3]) func byCost(_ weight: Double)
        async
    {
        let bob = bob
        let served = await onNewThread { () -> [Identity?] in
            let (clock, served) = (Clocked(), Notes<Identity?>())
            let queue = clock.queue { $0 == bob ? weight : 1 }
            queue.suspend()
            for _ in 0..<100 {
                withIdentity(ada) {
                    queue.async {
                        served.add(.current)
                        clock.pass(1_000_000)
                    }
                }
            }
            for _ in 0..<100 {
                withIdentity(bob) {
                    queue.async {
                        served.add(.current)
                        clock.pass(500_000)
                    }
                }
            }
            queue.resume()
            for user in [ada, bob] { withIdentity(user) { queue.sync {} } }
            return served.all
        }
        #expect(served.count == 200)
        let share = served.prefix(60).count { $0 == bob }
        #expect(abs(Double(share) - 60 * 2 * weight / (2 * weight + 1)) <= 2)
    }

    @Test("with one line for a name, for all its actors and lives") func oneLine() async throws {
        let (acted, bob) = (try ada.acted(by: Users.eve), bob)
        let served = await onNewThread { () -> [Int] in
            let (clock, served) = (Clocked(), Notes<Int>())
            let queue = clock.queue()
            func hand(_ number: Int) {
                queue.async {
                    served.add(number)
                    clock.pass(1_000_000)
                }
            }
            queue.suspend()
            for number in 0..<10 { withIdentity(number % 2 == 0 ? ada : acted) { hand(number) } }
            withIdentity(bob) { for number in 10..<15 { hand(number) } }
            queue.resume()
            for user in [ada, bob] { withIdentity(user) { queue.sync {} } }
            return served.all
        }
        #expect(served == [0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 6, 7, 8, 9])
    }

    @Test("and keeps each one's order, for all of its methods", arguments: 0..<20) func programs(_ seed: UInt64) async {
        let users: [Identity?] = [nil, .nobody] + (0..<4).map { Users.named("user-\($0)@contoso.com") }
        let program = QueueProgram(seed: seed, among: users)
        let ran = await onNewThread {
            program.run(on: FairProgramQueue(queue: IdentityQueue(label: "fair", draining: .fairly()), users: users))
        }
        #expect(Set(ran.map(\.number)).count == ran.count && ran.count == program.callers.count, "seed \(seed)")
        #expect(ran.allSatisfy { program.callers[$0.number] == $0.identity }, "seed \(seed)")
        // What the work of others hands over comes when they have had their turn.
        let steps = program.rounds.flatMap(\.steps)
        let handedOverHere = Set(steps.map(\.number))
        for user in users {
            let numbers = ran.map(\.number).filter { handedOverHere.contains($0) && program.callers[$0] == user }
            #expect(numbers == steps.filter { $0.caller == user }.map(\.number), "seed \(seed)")
        }
    }

    @Test("and runs all work of many threads, once, suspended again and again", arguments: [false, true])
    func producers(_ isConcurrent: Bool) async {
        let each = 500
        let users = (0..<4).map { Users.named("user-\($0)@contoso.com") }
        let queue = IdentityQueue(label: "fair", attributes: isConcurrent ? .concurrent : [], draining: .fairly())
        let ran = Locked([[Int]](repeating: [], count: users.count))
        let isOver = Locked(false)
        let missed = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                await onNewThread {
                    while !isOver.withLock({ $0 }) {
                        queue.suspend()
                        sched_yield()
                        queue.resume()
                        sched_yield()
                    }
                    return 0
                }
            }
            for (place, user) in users.enumerated() {
                group.addTask {
                    await onNewThread {
                        withIdentity(user) {
                            var missed = 0
                            for index in 0..<each {
                                queue.async {
                                    ran.withLock { $0[place].append(Identity.current == user ? index : -1) }
                                }
                                if index % 20 == place {
                                    // A barrier, so that a concurrent queue has also ended what was before.
                                    missed +=
                                        index + 1 - queue.sync(flags: .barrier) { ran.withLock { $0[place].count } }
                                }
                            }
                            queue.sync(flags: .barrier) {}
                            return missed
                        }
                    }
                }
            }
            var missed = 0
            for _ in users { missed += await group.next() ?? 0 }
            isOver.withLock { $0 = true }
            await group.waitForAll()
            return missed
        }
        #expect(missed == 0)
        #expect(ran.withLock { $0.map { $0.sorted() } } == Array(repeating: Array(0..<each), count: users.count))
        if !isConcurrent { #expect(ran.withLock { $0 } == Array(repeating: Array(0..<each), count: users.count)) }
    }

    @Test("and takes a weight that is none for the nearest that is one") func weights() {
        let terms = FairTerms(clock: nil) { identity in
            switch identity {
            case ada: .infinity
            case grace: .nan
            case nil: -1
            default: 0
            }
        }
        #expect([ada, grace, nil, bob].map { terms.weight(of: $0) } == [100, 0.01, 0.01, 0.01])
        #expect(FairTerms(clock: nil, weights: nil).weight(of: ada) == 1)
    }

    @Test("and its mode can be compared") func draining() {
        let fairly = IdentityQueue.Draining.fairly()
        #expect(IdentityQueue(label: "fair", draining: fairly).draining == fairly)
        #expect(IdentityQueue(label: "fair", attributes: .concurrent, draining: fairly).draining == fairly)
        #expect(fairly != .fairly() && fairly != .inBatches && fairly != .oneByOne)
    }
}

/// A fair queue for a program: a caller that waits for all waits for each identity's line.
private struct FairProgramQueue: ProgramQueue {
    let queue: IdentityQueue
    let users: [Identity?]

    func suspend() { queue.suspend() }
    func resume() { queue.resume() }

    func handOver(_ way: QueueProgram.Way, _ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        if way == .sync { for user in users { withIdentity(user) { queue.sync {} } } }
        queue.handOver(way, group, work)
    }
}
