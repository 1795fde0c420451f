import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("A cache", .rule("14.12")) struct CacheTests {
    /// A value that records its release.
    final class Handle: Sendable {
        let atEnd: @Sendable () -> Void
        init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
        deinit { atEnd() }
    }

    @Test("keeps a newcomer's value, however many hot values others have", arguments: [1, 2, 4])
    func newcomer(times: Int) async throws {
        let (cache, loads) = (IdentityCache<Int, Int>(limit: 100), Notes<Int>())
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        for _ in 0..<8 {
            try await withIdentity(ada) { for key in 0..<(100 * times) { _ = try await cache.value(for: key) { key } } }
            _ = try await withIdentity(bob) {
                try await cache.value(for: 7) {
                    loads.add(7)
                    return 7
                }
            }
        }
        #expect(loads.all == [7])
        #expect(cache.count == 100)
    }

    @Test("evicts no value of an owner within its share, and keeps the newest", arguments: 1...6)
    func shares(limit: Int) throws {
        let owners = try (0..<4).map { WorkOwner(try newIdentity("user\($0)")) }
        var (storage, seed) = (CacheStorage<Int, Int>(limit: limit), UInt64(limit))
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        func kept() -> [Int] {
            var storage = storage
            return owners.map { owner in
                (0..<8).count { storage.value(for: .init(owner: owner, key: $0), now: .zero) != nil }
            }
        }
        for _ in 0..<500 {
            let (number, key) = (random(random(4) + 1), random(8))
            let owned = OwnedKey(owner: owners[number], key: key)
            if random(3) > 0 {
                _ = storage.value(for: owned, now: .zero)
                continue
            }
            if random(20) == 0 { _ = storage.removeAll(involving: owned.owner.identity) { _ in true } }
            let before = kept()
            _ = storage.keep(.init(value: key, end: nil), for: owned)
            let (after, share) = (kept(), limit / max(1, before.count { $0 > 0 } + (before[number] == 0 ? 1 : 0)))
            for other in owners.indices where other != number && after[other] < before[other] {
                #expect(before[other] > share)
            }
            var found = storage
            #expect(found.value(for: owned, now: .zero) == key)
            #expect(storage.count == after.reduce(0, +) && storage.count <= limit)
        }
    }

    @Test("releases expired values, and its sleeping task once it is empty", arguments: 0..<5)
    func ends(how: Int) async throws {
        let (clock, released, ada) = (ManualClock(), Gate(), try newIdentity())
        defer { IdentityRevocation.readmit(ada) }
        var cache: IdentityCache<Int, Handle>? = .init(limit: 1, lifetime: .seconds(1), clock: clock)
        try withIdentity(ada) { try cache?.store(Handle { released.open() }, for: 1) }
        await clock.untilThereSleep(1)
        switch how {
        case 0: clock.advance(by: .seconds(1))
        case 1: cache?.removeAll(of: ada)
        case 2: IdentityRevocation.revoke(ada, for: .signedOut)
        case 3: cache = nil
        default:
            // The next value's sleeper continues where the first value's would have ended.
            clock.advance(by: .milliseconds(500))
            try withIdentity(ada) { try cache?.store(Handle {}, for: 2) }
            await released.wait()
            clock.advance(by: .seconds(1))
        }
        await released.wait()
        await eventually { cache?.count ?? 0 == 0 }
        await clock.untilThereSleep(0)
    }

    @Test("releases a value outside of its lock, since the value's deinit may call the cache")
    func comesBack() async throws {
        let (clock, seen) = (ManualClock(), Notes<Int>())
        let cache = IdentityCache<Int, Handle>(limit: 1, lifetime: .seconds(1), clock: clock)
        try withIdentity(newIdentity()) {
            try cache.store(Handle { seen.add(cache.count) }, for: 1)
            try cache.store(Handle { seen.add(cache.count) }, for: 2)
            #expect(seen.all == [1])
            clock.advance(by: .seconds(2))
            #expect(try cache.value(for: 2) == nil)
        }
        // Released here, or by the task that slept until its expiry.
        await eventually { seen.all == [1, 0] }
    }

    @Test("drops the result of a load if values were stored or removed meanwhile", arguments: [false, true])
    func outOfDate(removes: Bool) async throws {
        let (cache, ada) = (IdentityCache<Int, String>(limit: 8), try newIdentity())
        try await withIdentity(ada) {
            let loaded = try await cache.value(for: 1) {
                if removes { cache.removeAll(of: ada) } else { try cache.store("new", for: 1) }
                return "old"
            }
            #expect(loaded == "old")
            #expect(try cache.value(for: 1) == (removes ? nil : "new"))
        }
    }

    enum Moment: CaseIterable { case keeping, storing, lookingUp }

    @Test("stores nothing once a revocation has returned", arguments: Moment.allCases)
    func revokedMeanwhile(moment: Moment) async throws {
        let (ada, clock) = (try newIdentity(), AskedClock())
        defer { IdentityRevocation.readmit(ada) }
        let cache = IdentityCache<Int, Int>(limit: 8, lifetime: .seconds(9), clock: clock)
        // While the clock is read: between the check of the owner and its use.
        let revoke: @Sendable () -> Void = {
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
        }
        try await withIdentity(ada) {
            if moment == .lookingUp { try cache.store(1, for: 1) }
            if moment != .keeping { clock.whenAsked(revoke) }
            await expect(throws: IdentityError.Code.revoked) {
                switch moment {
                case .lookingUp: _ = try cache.value(for: 1)
                case .storing: try cache.store(1, for: 1)
                case .keeping:
                    _ = try await cache.value(for: 1) {
                        clock.whenAsked(revoke)
                        return 1
                    }
                }
            }
        }
        // A load revokes in its own task, and the caller may get here before that task readmits.
        await eventually { !IdentityRevocation.isRevoked(ada) }
        #expect(cache.count == 0)
        #expect(try withIdentity(ada) { try cache.value(for: 1) } == nil)
    }
}
