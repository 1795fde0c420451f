import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A queue that drains in batches keeps Dispatch's order") struct BatchOrderTests {
    private let identities = [nil, .nobody] + (0..<4).map { Users.named("user-\($0)@contoso.com") }

    @Test("for all of its methods", .rule("4.12"), arguments: 0..<30)
    func programs(_ seed: UInt64) async {
        await compare(seed) { IdentityQueue(label: "batched", draining: .inBatches) }
    }

    @Test("also without a handle", .rule("4.12"), arguments: 100..<104)
    func withoutHandle(_ seed: UInt64) async {
        await compare(seed) { IdentityQueue(inBatches: DispatchQueue(label: "batched"), target: nil, handle: nil) }
    }

    /// Runs one program on a plain queue and on another one, and expects the same work, each as the identity that handed it over.
    private func compare(_ seed: UInt64, on queue: @escaping @Sendable () -> IdentityQueue) async {
        print("BatchOrderTests: seed \(seed)")
        let program = QueueProgram(seed: seed, among: identities)
        let plain = await onNewThread { program.run(on: DispatchQueue(label: "plain")).map(\.number) }
        let ran = await onNewThread { program.run(on: queue()) }
        #expect(ran.count == plain.count, "seed \(seed)")
        let parting = zip(ran, plain).enumerated().first { $0.element.0.number != $0.element.1 }
        #expect(parting?.offset == nil, "seed \(seed)")
        let stranger = ran.first { program.callers[$0.number] != $0.identity }
        #expect(stranger == nil, "seed \(seed)")
    }

    @Test("for each of many threads, and runs all their work, once", .rule("4.12"), arguments: [false, true])
    func producers(_ isSuspendedAgainAndAgain: Bool) async {
        let (threads, each) = (4, isSuspendedAgainAndAgain ? 500 : 2_000)
        let queue = IdentityQueue(label: "batched", draining: .inBatches)
        let (ran, isOver) = (Locked([[Int]](repeating: [], count: threads)), Locked(false))
        let suspending = Task {
            await onNewThread {
                while isSuspendedAgainAndAgain, !isOver.withLock({ $0 }) {
                    queue.suspend()
                    sched_yield()
                    queue.resume()
                    sched_yield()
                }
            }
        }
        let missedBySync = await withTaskGroup(of: Int.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    await onNewThread {
                        var missed = 0
                        for index in 0..<each {
                            queue.async { ran.withLock { $0[thread].append(index) } }
                            if index % 20 == thread {
                                missed += index + 1 - queue.sync { ran.withLock { $0[thread].count } }
                            }
                        }
                        return missed
                    }
                }
            }
            return await group.reduce(0, +)
        }
        isOver.withLock { $0 = true }
        await suspending.value
        await onNewThread { queue.sync {} }
        #expect(missedBySync == 0)
        #expect(ran.withLock { $0 } == Array(repeating: Array(0..<each), count: threads))
    }

    @Test("before work on its base queue, which later work overtakes by less than a batch", .rule("4.12"))
    func pastIt() async {
        let ran = await onNewThread {
            let notes = Notes<Int>()
            let queue = IdentityQueue(label: "batched", draining: .inBatches)
            queue.suspend()
            for number in 0..<1_000 { queue.async { notes.add(number) } }
            queue.base.async { notes.add(-1) }
            for number in 1_000..<2_000 { queue.async { notes.add(number) } }
            queue.resume()
            return queue.sync { notes.all }
        }
        #expect(ran.filter { $0 >= 0 } == Array(0..<2_000))
        let place = ran.firstIndex(of: -1) ?? 0
        #expect((1_000..<1_000 + WorkInBatches.bound).contains(place))
    }

    @Test("and its work sees it like any queue")
    func answers() async {
        let key = DispatchSpecificKey<String>()
        let seen = await onNewThread {
            let (notes, target) = (Notes<String?>(), DispatchQueue(label: "target"))
            let queue = IdentityQueue(label: "batched", target: target, draining: .inBatches)
            queue.setSpecific(key: key, value: "mine")
            for _ in 1...3 {
                queue.async(flags: .barrier) {
                    dispatchPrecondition(condition: .onQueue(queue))
                    dispatchPrecondition(condition: .onQueueAsBarrier(queue))
                    dispatchPrecondition(condition: .onQueue(target))
                    notes.add(IdentityQueue.getSpecific(key: key))
                }
            }
            return queue.sync { notes.all }
        }
        #expect(seen == ["mine", "mine", "mine"])
    }

    @Test("and keeps its attributes; a concurrent one drains one by one")
    func properties() {
        let queue = IdentityQueue(label: "batched", qos: .utility, draining: .inBatches)
        #expect(queue.draining == .inBatches)
        #expect(queue.label == "batched")
        #expect(queue.qos == .utility)
        #expect(queue == queue.base.propagatingIdentity)
        #expect(queue.hashValue == queue.base.propagatingIdentity.hashValue)
        #expect(IdentityQueue(label: "plain").draining == .oneByOne)
        let concurrent = IdentityQueue(label: "concurrent", attributes: .concurrent, draining: .inBatches)
        #expect(concurrent.draining == .oneByOne)
    }
}
