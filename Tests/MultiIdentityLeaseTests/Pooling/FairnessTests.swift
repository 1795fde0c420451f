import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("Somebody who asks for very many leases at once", .rule("14.9")) struct FairnessTests {
    /// The most leases that begin from the moment at which the quiet one asks until it has its own, in 100 askings.
    func turns(besides count: Int) throws -> Int {
        let (loud, quiet) = (try newIdentity("loud"), try newIdentity("quiet"))
        let limits = LeaseLedger.Limits(resources: 1, waiting: .max, wait: nil, idle: nil)
        let ledger = LeaseLedger(limits, LeaseClock(.continuous))
        guard case .place(let index) = try ledger.take(for: loud, 1) else { throw WorkError() }
        let slot = ledger.fill(index, with: MadeResource(0, close: { _ in }, interrupt: nil))
        for number in 0..<count { try ledger.enqueue(LeaseWaiter(loud, UInt(number) + 2, until: nil)) }
        var most = 0
        for _ in 0..<100 {
            let waiter = LeaseWaiter(quiet, 1, until: nil)
            try ledger.enqueue(waiter)
            var turns = 0
            while !waiter.isSettled {
                ledger.release(slot)
                turns += 1
            }
            most = max(most, turns)
        }
        return most
    }

    @Test("keeps another waiting for twice its quiet turns at most; in plain order it would be all of them")
    func starvesNobody() throws {
        let count = 100_000
        let quiet = try turns(besides: 0)
        let beside = try turns(besides: count)
        #expect(quiet == 1)
        #expect(beside <= 2 * quiet)
        var plain = Queue<Int>()
        for number in 0...count { plain.append(number) }
        var turns = 0
        while let next = plain.popFirst() {
            turns += 1
            if next == count { break }
        }
        #expect(turns == count + 1)
    }

    @Test("and goes again is out of the line, and leaves the others their turns") func goes() throws {
        let (loud, quiet) = (try newIdentity("loud"), try newIdentity("quiet"))
        var line = FairLine()
        let loudOnes = (0..<1_000).map { LeaseWaiter(loud, $0, until: nil) }
        for waiter in loudOnes { line.append(waiter) }
        for waiter in loudOnes.dropLast() {
            #expect(waiter.settle(.failure(CancellationError())))
            line.oneIsGone()
        }
        let last = LeaseWaiter(quiet, 0, until: nil)
        line.append(last)
        #expect(line.count == 2)
        #expect(line.popFirst() === loudOnes.last)
        #expect(line.popFirst() === last)
        #expect(line.popFirst() == nil)
        #expect(line.count == 0)
    }
}
