import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("Work that is under way for who joined it") struct KeyedFlightTests {
    @Test("is over once the last has left, so that nobody joins what is about to be cancelled", .rule("14.10"))
    func isOver() {
        let flight = KeyedFlight<Int>()
        let (first, second, late) = (Joiner<Int>(), Joiner<Int>(), Joiner<Int>())
        #expect(flight.add(first))
        #expect(flight.add(second))
        #expect(!flight.remove(first))
        #expect(flight.remove(second))
        #expect(!flight.add(late))
        #expect(!flight.remove(late))
        #expect(flight.end().isEmpty)
    }

    @Test("and was kept too long is let go of where its end may come back", .rule("14.12"))
    func comesBack() throws {
        /// A value that looks into its cache as it ends.
        final class Handle: Sendable {
            let atEnd: @Sendable () -> Void
            init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
            deinit { atEnd() }
        }
        let clock = ManualClock()
        let cache = IdentityKeyed.Cache<Int, Handle>(limit: 1, lifetime: .seconds(1), clock: clock)
        let seen = Notes<Int>()
        try withIdentity(newIdentity()) {
            try cache.store(Handle { seen.add(cache.count) }, for: 1)
            clock.advance(by: .seconds(2))
            #expect(try cache.value(for: 1) == nil)
        }
        #expect(seen.all == [0])
    }
}
