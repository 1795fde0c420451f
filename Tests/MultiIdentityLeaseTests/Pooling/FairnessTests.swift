import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityLease

@Suite("A caller who asks for very many leases at once", .rule("14.9")) struct FairnessTests {
    /// The maximum number of leases that begin while the quiet caller waits, over 100 requests.
    func turns(besides count: Int) throws -> Int {
        let (loud, quiet) = (try newIdentity("loud"), try newIdentity("quiet"))
        let limits = PoolLimits(maxResources: 1, maxWaiters: .max, waitTimeout: nil)
        let ledger = LeaseLedger(limits, LeaseClock(.continuous))
        guard case .place(let index) = try ledger.take(LeaseWaiter(loud, 1)) else { throw WorkError() }
        let slot = ledger.fill(index, with: MadeResource(0, close: { _ in }, interrupt: nil), since: .zero)
        for number in 0..<count { _ = try ledger.take(LeaseWaiter(loud, UInt(number) + 2)) }
        var most = 0
        for number in 0..<100 {
            let waiter = LeaseWaiter(quiet, .max - UInt(number))
            _ = try ledger.take(waiter)
            var turns = 0
            while !waiter.isSettled {
                ledger.release(slot)
                turns += 1
            }
            most = max(most, turns)
        }
        return most
    }

    @Test("makes another wait for at most twice as many turns as when it is quiet", arguments: [0, 100_000])
    func starvesNobody(besides count: Int) throws {
        #expect(try turns(besides: count) <= (count == 0 ? 1 : 2))
    }

    @Test("and leaves is out of the line, and the others keep their turns") func goes() throws {
        let (loud, quiet) = (try newIdentity("loud"), try newIdentity("quiet"))
        var line = FairLine()
        let loudOnes = (0..<1_000).map { LeaseWaiter(loud, $0) }
        for waiter in loudOnes { line.append(waiter) }
        for waiter in loudOnes.dropLast() + loudOnes.prefix(3) { line.remove(waiter) }
        let last = LeaseWaiter(quiet, 0)
        line.append(last)
        #expect(line.count == 2)
        #expect(line.popFirst() === loudOnes.last)
        #expect(line.popFirst() === last)
        #expect(line.popFirst() == nil)
        #expect(line.count == 0)
    }

    @Test("and gives up or is revoked is counted out once", .rule("14.8"), arguments: [1, 3])
    func countedOnce(_ rounds: Int) async throws {
        let sessions = Sessions(PoolLimits(maxResources: 1, maxWaiters: 10, waitTimeout: nil))
        let ada = try newIdentity()
        try await sessions.lease(as: newIdentity("bob")) { _ in
            for _ in 0..<rounds {
                let tasks = (0..<10).map { _ in
                    Task.detached { try await sessions.lease(as: ada) { _ in } }
                }
                await eventually { sessions.pool.counts == counts(leased: 1, waiting: 10) }
                for task in tasks.dropLast() { task.cancel() }
                await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
                IdentityRevocation.revoke(ada, for: .signedOut)
                #expect(sessions.pool.counts == counts(leased: 1))
                for task in tasks { await #expect(throws: (any Error).self) { try await task.value } }
                IdentityRevocation.readmit(ada)
            }
        }
    }
}

@Suite("A queue that elements leave from anywhere") struct LinkedQueueTests {
    @Test("keeps the remaining elements in order", .rule("14.9"), arguments: [3, 100, 1_000])
    func model(_ steps: Int) {
        var random = SeededGenerator(seed: UInt64(steps))
        var (queue, model) = (LinkedQueue<Int>(), [(place: Int, value: Int)]())
        for value in 0..<steps {
            if Int.random(in: 0..<3, using: &random) == 0, !model.isEmpty {
                queue.remove(at: model.remove(at: .random(in: model.indices, using: &random)).place)
            } else {
                // In tens, so that some precede others.
                let place = queue.append(value / 10 * 10 + value % 3) { $0 > value / 10 * 10 + value % 3 }
                let value = value / 10 * 10 + value % 3
                model.insert((place, value), at: (model.lastIndex { $0.value <= value } ?? -1) + 1)
            }
            #expect(queue.elements == model.map(\.value))
            #expect((queue.first, queue.count) == (model.first?.value, model.count))
        }
    }
}
