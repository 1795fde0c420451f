import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("A keyed flight") struct KeyedFlightTests {
    @Test("is over once the last caller leaves: no one joins cancelled work", .rule("14.10"))
    func isOver() {
        let flight = KeyedFlight<Int> { _ in false }
        let (first, second, late) = (Joiner<Int>(of: .nobody), Joiner<Int>(of: .nobody), Joiner<Int>(of: .nobody))
        #expect(flight.add(first))
        #expect(flight.add(second))
        #expect(!flight.remove(first))
        #expect(flight.remove(second))
        #expect(!flight.add(late))
        #expect(!flight.remove(late))
        #expect(flight.isOver)
    }

    @Test("serves its callers in the order in which they joined", .rule("14.10"))
    func order() {
        let (flight, joiners) = (KeyedFlight<Int> { _ in false }, (0..<64).map { _ in Joiner<Int>(of: .nobody) })
        for joiner in joiners { #expect(flight.add(joiner)) }
        for index in stride(from: 0, to: 64, by: 3) { _ = flight.remove(joiners[index]) }
        let left = joiners.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
        #expect(flight.joiners.map(ObjectIdentifier.init) == left.map(ObjectIdentifier.init))
    }

    @Test("gives no answer to an owner that was revoked after the flight's end", .rule("14.10"))
    func lateAnswer() async throws {
        let ada = try newIdentity()
        defer { IdentityRevocation.readmit(ada) }
        let outcomes: [Result<Int, any Error>] = [.success(1), .failure(WorkError())]
        let joiners = outcomes.map { outcome in
            let joiner = Joiner<Int>(of: WorkOwner(ada))
            joiner.settle(outcome)
            return joiner
        }
        IdentityRevocation.revoke(ada, for: .signedOut)
        IdentityRevocation.readmit(ada)
        for joiner in joiners { await expect(throws: IdentityError.Code.revoked) { try await joiner.value() } }
    }

    @Test("is found by each name of its owner, and by no other", .rule("14.12"))
    func found() throws {
        let (ada, bob, support) = (try newIdentity(), try newIdentity("bob"), try newIdentity("support"))
        let owners = [WorkOwner(ada), WorkOwner(try ada.acted(by: support)), WorkOwner(bob)]
        var table = OwnedTable<Int>()
        for (number, owner) in owners.enumerated() { table.change(owner) { $0 = number } }
        #expect(table.owners(involving: ada) == Set(owners[0...1]))
        #expect(table.owners(involving: support) == [owners[1]])
        #expect(table.remove(involving: ada) { $0 == owners[1] } == [owners[1]: 1])
        #expect(table.owners(involving: support).isEmpty)
        #expect(table.owners(involving: ada) == [owners[0]])
        #expect(table.values.count == 2)
    }

    @Test("ends for both of two threads that revoke at once, before either returns", .rule("14.12"))
    func revokedAtOnce() throws {
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        let (revoked, ended) = (RevokedIdentities(), Notes<Identity>())
        revoked.watch { identity in
            let isFirst = ended.all.isEmpty
            ended.add(identity)
            // The other thread, whose revocation has been recorded by now.
            if isFirst { revoked.notify() }
            if isFirst { #expect(ended.all.contains(bob)) }
        }
        defer { revoked.stop() }
        for identity in [ada, bob] { revoked.note(.revoked(identity, .signedOut)) }
        revoked.notify()
        #expect(Set(ended.all) == [ada, bob])
        let count = ended.all.count
        revoked.notify()
        #expect(ended.all.count == count)
    }
}
