import MultiIdentity
import MultiIdentityLease

extension Promise {
    /// The promises of what is kept and loaded by identity.
    static let keyed = [
        Promise("a batch loads each key once, with those that are asked for in its time", loads),
        Promise("what the revoked had loaded is gone in the next life", loadsOfTwoLives),
        Promise("a batch answers nobody who was revoked meanwhile", loadOfTheRevoked),
    ]

    private static func loads(_ findings: Findings) async throws {
        let (ada, loaded) = (try account("ada"), Log<[String]>())
        let batcher = IdentityBatcher<String, Int>(limit: 2, window: .seconds(1)) { keys in
            loaded.add(keys.sorted())
            await Task.yield()
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (key, milliseconds) in [("a", 0), ("b", 0), ("c", 500), ("d", 1_200)] {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    try await withIdentity(ada) { _ = try await batcher.value(for: key) }
                }
            }
            try await group.waitForAll()
        }
        findings.expect(loaded.all == [["a", "b"], ["c", "d"]], "what was loaded: \(loaded.all)")
    }

    private static func loadsOfTwoLives(_ findings: Findings) async throws {
        let ada = try account("ada")
        let cache = IdentityCache<String, Int>(limit: 10)
        let underWay = [Count(), Count()]
        let ask: @Sendable (Int, @escaping @Sendable () -> Void) async -> Void = { life, begun in
            await withIdentity(ada) {
                let value = try? await cache.value(for: "mail") {
                    begun()
                    findings.expect(underWay[life].add() == 1, "two loads of one life are under way at once")
                    for _ in 0..<3 { await Task.yield() }
                    underWay[life].add(-1)
                    return life
                }
                if let value { findings.expect(value == life, "what was loaded in another life is kept") }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            await withCheckedContinuation { begun in
                group.addTask { await ask(0) { begun.resume() } }
            }
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            for _ in 0..<2 { group.addTask { await ask(1) {} } }
        }
    }

    private static func loadOfTheRevoked(_ findings: Findings) async throws {
        let (ada, isRevoked) = (try account("ada"), Count())
        let batcher = IdentityBatcher<String, Int>(limit: 1, window: .seconds(1)) { keys in
            await Task.yield()
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
        }
        let asker = Task {
            try await withIdentity(ada) { _ = try await batcher.value(for: "mail") }
            findings.expect(!isRevoked.isSet, "an answer reaches who was revoked before it came")
        }
        await Task.yield()
        IdentityRevocation.revoke(ada, for: .signedOut)
        isRevoked.set()
        _ = await asker.result
    }
}
