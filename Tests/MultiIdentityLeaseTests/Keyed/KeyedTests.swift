import MultiIdentity
import MultiIdentityLease
import Testing

/// A program's task-local, which keeps each caller's own value.
enum Caller { @TaskLocal static var tag = "none" }

@Suite("Work that is keyed by its owner") struct KeyedTests {
    @Test("is done once for each identity, and as that identity, however many callers ask", .rule("14.10"))
    func joined() async throws {
        let flights = IdentitySingleFlight<Int, Identity?>()
        let (loads, goOn) = (Notes<Identity?>(), Gate())
        let people = try [newIdentity("ada"), newIdentity("bob")]
        let work: @Sendable () async throws -> Identity? = {
            loads.add(Identity.current)
            await goOn.wait()
            return Identity.current
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await Caller.$tag.withValue("\(number)") {
                        try await withIdentity(people[number % 2]) {
                            let found = try await flights.value(for: 7, work)
                            return found == people[number % 2] && Identity.current == found && Caller.tag == "\(number)"
                        }
                    }
                }
            }
            await eventually { flights.waiting == 40 }
            #expect(flights.count == 2)
            goOn.open()
            for try await isRight in group { #expect(isRight) }
        }
        #expect(flights.count == 0)
        #expect(loads.all.count == 2)
        #expect(Set(loads.all.compactMap(\.self)) == Set(people))
    }

    @Test("belongs to one owner: to a name, its actors, and its life between two revocations", .rule("14.10"))
    func owners() throws {
        let (ada, support) = (try newIdentity(), try newIdentity("support"))
        let acted = try ada.acted(by: support)
        defer { for identity in [ada, support] { IdentityRevocation.readmit(identity) } }
        IdentityRevocation.isOn = true
        let cache = IdentityCache<Int, String>(limit: 8)
        for owner in [ada, acted] {
            try withIdentity(owner) {
                #expect(try cache.value(for: 1) == nil)
                try cache.store("\(owner)", for: 1)
            }
        }
        IdentityRevocation.revoke(support, for: .signedOut)
        #expect(cache.count == 1)
        try withIdentity(ada) {
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            try withIdentity(ada) { try cache.store("of the new life", for: 1) }
            #expect(throws: IdentityError.self) { try cache.value(for: 1) }
        }
    }

    @Test("runs as the owner in its key, which need not be bound where it begins", .rule("14.10"))
    func runsAsItsKey() async throws {
        let (ada, flights) = (try newIdentity(), IdentitySingleFlight<Int, Identity?>())
        let seen = try await withIdentityLevels(process: ada) {
            try await withIdentity(nil) { try await flights.value(for: 1) { Identity.current } }
        }
        #expect(seen == ada)
    }

    @Test("is cancelled for a cancelled caller, and for all once no one waits", .rule("14.10"))
    func cancelled() async throws {
        let flights = IdentitySingleFlight<Int, Int>()
        let (began, wasCancelled, goOn) = (Gate(), Gate(), Gate())
        let ada = try newIdentity()
        let ask: @Sendable () async throws -> Int = {
            try await withIdentity(ada) {
                try await flights.value(for: 1) {
                    began.open()
                    await withTaskCancellationHandler {
                        await goOn.wait()
                    } onCancel: {
                        wasCancelled.open()
                    }
                    return 1
                }
            }
        }
        let first = Task { try await ask() }
        await began.wait()
        let second = Task { try await ask() }
        await eventually { flights.waiting == 2 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(flights.count == 1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(flights.count == 0)
        goOn.open()
    }

    @Test("belongs to nobody if it is shared, and refuses what belongs to an identity", .rule("14.11"))
    func shared() async throws {
        let cache = IdentityCache<Int, Identity?>(.shared, limit: 8)
        let ada = try newIdentity()
        let found = try await withIdentity(ada) { try await cache.value(for: 1) { Identity.current } }
        #expect(found == .nobody)
        expect(throws: LeaseError.Code.identityNotAllowed) {
            try withIdentity(ada) { try cache.store(ada, for: 2) }
        }
        try withIdentity(.nobody) { try cache.store(nil, for: 2) }
        #expect(cache.count == 2)
    }

    @Test("is refused if no identity is bound", .rule("14.10"))
    func unset() async throws {
        let cache = IdentityCache<Int, Int>(limit: 8)
        await expect(throws: LeaseError.Code.noIdentity) {
            try await withIdentityLevels(IdentityLevels()) {
                try await withIdentity(nil) { try await cache.value(for: 1) { 1 } }
            }
        }
    }

    @Test("is visible to its own identity only, until it expires or is evicted", .rule("14.12"))
    func kept() async throws {
        let clock = ManualClock()
        let cache = IdentityCache<Int, String>(limit: 3, lifetime: .seconds(10), clock: clock)
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        for identity in [ada, bob] {
            let value = try await withIdentity(identity) {
                try await cache.value(for: 1) { Identity.current?.name ?? "" }
            }
            #expect(value == identity.name)
        }
        try withIdentity(ada) {
            #expect(try cache.value(for: 1) == ada.name)
            for key in 2...9 { try cache.store("\(key)", for: key) }
            #expect(cache.count == 3)
            clock.advance(by: .seconds(10))
            #expect(try cache.value(for: 9) == nil)
        }
    }

    @Test("is removed when its identity is revoked, along with the load in progress", .rule("14.12"))
    func revoked() async throws {
        let cache = IdentityCache<Int, Int>(limit: 8)
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        defer { IdentityRevocation.readmit(ada) }
        for identity in [ada, bob] { try withIdentity(identity) { try cache.store(1, for: 1) } }
        let (began, goOn) = (Gate(), Gate())
        let load = withIdentity(ada) {
            Task {
                try await withIdentity(ada) {
                    try await cache.value(for: 2) {
                        began.open()
                        await goOn.wait()
                        return 2
                    }
                }
            }
        }
        await began.wait()
        IdentityRevocation.revoke(ada, for: .signedOut)
        await expect(throws: IdentityError.Code.revoked) { try await load.value }
        #expect(cache.count == 1)
        IdentityRevocation.readmit(ada)
        goOn.open()
        let isForgotten = try withIdentity(ada) { try cache.value(for: 1) == nil && cache.value(for: 2) == nil }
        #expect(isForgotten)
    }

    @Test("is loaded in batches of one identity, as that identity", .rule("14.13"))
    func batches() async throws {
        let clock = ManualClock()
        let loads = Notes<(Identity?, [Int])>()
        let batcher = IdentityBatcher<Int, Identity?>(limit: 3, window: .seconds(1), clock: clock) { keys in
            loads.add((Identity.current, keys.sorted()))
            return Dictionary(uniqueKeysWithValues: keys.filter { $0 < 100 }.map { ($0, Identity.current) })
        }
        let people = try [newIdentity("ada"), newIdentity("bob")]
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await withIdentity(people[number % 2]) {
                        try await batcher.value(for: number) == people[number % 2]
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(loads.all.count == 2)
        for load in loads.all { #expect(load.1 == (load.0 == people[0] ? [0, 2, 4] : [1, 3, 5])) }
        // A batch that is not full is loaded when its window ends.
        let missing = Task { try await withIdentity(people[0]) { try await batcher.value(for: 100) } }
        await eventually {
            clock.advance(by: .seconds(1))
            return loads.all.count == 3
        }
        await expect(throws: LeaseError.Code.missingValue) { try await missing.value }
    }

    @Test(
        "is not loaded in a batch of a revoked owner, or in one that all callers have left",
        .rule("14.13"),
        arguments: [false, true]
    )
    func endedBatch(revokes: Bool) async throws {
        let (clock, loads, ada) = (ManualClock(), Notes<[Int]>(), try newIdentity())
        defer { IdentityRevocation.readmit(ada) }
        let batcher = IdentityBatcher<Int, Int>(limit: 2, window: .seconds(1), clock: clock) { keys in
            loads.add(keys)
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
        }
        let first = Task { try await withIdentity(ada) { try await batcher.value(for: 1) } }
        await clock.untilThereSleep(1)
        if revokes {
            IdentityRevocation.revoke(ada, for: .signedOut)
            await expect(throws: IdentityError.Code.revoked) { try await first.value }
            IdentityRevocation.readmit(ada)
        } else {
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
        }
        await clock.untilThereSleep(0)
        // The next keys have their own batch, and when it is full nothing sleeps any more.
        async let second = withIdentity(ada) { try await batcher.value(for: 3) }
        await clock.untilThereSleep(1)
        async let third = withIdentity(ada) { try await batcher.value(for: 2) }
        #expect(try await second + third == 5)
        await clock.untilThereSleep(0)
        #expect(loads.all == [[3, 2]])
    }
}
