import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A load that asks for a key", .rule("14.10")) struct NestedLoadTests {
    /// Loads by key, where the load of each key asks for other keys first.
    struct Loader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: @Sendable (Int, @escaping @Sendable (Int) async throws -> Int) async throws -> Int
    }

    static var loaders: [Loader] {
        let cache = IdentityCache<Int, Int>(limit: 8)
        let flights = IdentitySingleFlight<Int, Int>(.shared)
        let ask = Locked<(@Sendable (Int) async throws -> Int)?>(nil)
        let batcher = IdentityBatcher<Int, Int>(limit: 1, window: .zero) { keys in
            var values: [Int: Int] = [:]
            for key in keys { values[key] = try await ask.withLock { $0 }?(key) }
            return values
        }
        return [
            Loader(testDescription: "cache") { key, load in try await cache.value(for: key) { try await load(key) } },
            Loader(testDescription: "flight") { key, load in try await flights.value(for: key) { try await load(key) }
            },
            Loader(testDescription: "batch") { key, load in
                ask.withLock { $0 = load }
                return try await batcher.value(for: key)
            },
        ]
    }

    @Test("that it loads is refused, also in a child task, and later callers are answered", arguments: loaders)
    func itself(loader: Loader) async throws {
        try await withIdentity(newIdentity()) {
            for inChild in [false, true] {
                await expect(throws: LeaseError.Code.wouldDeadlock) {
                    try await loader.value(1) { key in
                        if !inChild { return try await loader.value(key) { $0 } }
                        async let inner = loader.value(key) { $0 }
                        return try await inner
                    }
                }
            }
            let later = try await loader.value(1) { $0 }
            #expect(later == 1)
        }
    }

    @Test("whose load waits for it is refused, and any other key is loaded", arguments: loaders, [false, true])
    func chain(loader: Loader, isCircle: Bool) async throws {
        @Sendable func load(_ key: Int) async throws -> Int {
            if key == 4 { return isCircle ? try await loader.value(2, load) : 0 }
            return try await loader.value(key + 1, load) + 1
        }
        try await withIdentity(newIdentity()) {
            if isCircle {
                await expect(throws: LeaseError.Code.wouldDeadlock) { try await loader.value(1, load) }
            } else {
                let value = try await loader.value(1, load)
                #expect(value == 3)
            }
        }
    }

    @Test("whose load asks for this load's key at the same time: one of them is refused, and both end")
    func eachOther() async throws {
        let (cache, flights) = (IdentityCache<Int, Int>(limit: 8), IdentitySingleFlight<String, Int>())
        let (ada, bothLoad) = (try newIdentity(), Gate())
        let asks: [@Sendable () async throws -> Int] = [
            {
                try await cache.value(for: 1) {
                    await bothLoad.wait()
                    return try await flights.value(for: "1") { 0 }
                }
            },
            {
                try await flights.value(for: "1") {
                    await bothLoad.wait()
                    return try await cache.value(for: 1) { 0 }
                }
            },
        ]
        let tasks = asks.map { ask in Task { try await withIdentity(ada) { try await ask() } } }
        await bothLoad.untilThereCame(2)
        bothLoad.open()
        // The refusal is thrown in one load, and the other throws it as the result of its wait.
        for task in tasks { await expect(throws: LeaseError.Code.wouldDeadlock) { try await task.value } }
    }

    @Test("that was loaded meanwhile is answered, even if its task came from that load")
    func afterwards() async throws {
        let (flights, isOver) = (IdentitySingleFlight<Int, Int>(), Gate())
        let left = Locked<Task<Int, any Error>?>(nil)
        try await withIdentity(newIdentity()) {
            _ = try await flights.value(for: 1) {
                left.withLock {
                    $0 = Task {
                        await isOver.wait()
                        return try await flights.value(for: 1) { 2 }
                    }
                }
                return 1
            }
        }
        isOver.open()
        #expect(try await left.withLock { $0 }?.value == 2)
    }
}
