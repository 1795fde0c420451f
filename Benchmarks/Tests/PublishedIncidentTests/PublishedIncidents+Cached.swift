import MultiIdentity
import MultiIdentityLease
import Testing

extension PublishedIncidents {
    /// Michad/tilegroxy#942, tailscale/setec#98.
    @Test("a single flight that several users board") func singleFlight() async throws {
        try await reproduce(Users.ada, Users.bea) {
            let (flights, isReady) = (Flights<String>(), Signal())
            let tile = { @Sendable in
                flights.join("private/5/1/1") {
                    await isReady.wait()
                    return RequestUser.current
                }
            }
            let first = RequestUser.$current.withValue(Users.ada, operation: tile)
            let second = RequestUser.$current.withValue(Users.bea, operation: tile)
            isReady.come()
            return [await first.value, await second.value]
        } withPackage: {
            let (flights, isReady) = (IdentitySingleFlight<String, Identity?>(), Signal())
            let tile = { @Sendable (user: Identity) in
                try await withIdentity(user) {
                    try await flights.value(for: "private/5/1/1") {
                        await isReady.wait()
                        return Identity.current
                    }
                }
            }
            async let first = tile(Users.ada)
            async let second = tile(Users.bea)
            while flights.waiting < 2 { await Task.yield() }
            isReady.come()
            return [try await first, try await second]
        }
    }

    /// Archomeda/Gw2Sharp#1, morcen/passage#111.
    @Test("a cache that is keyed without its caller") func cacheWithoutCaller() async throws {
        try await reproduce(Users.ada, Users.bea) {
            var answers: [String: Identity?] = [:]
            func account() -> Identity? {
                let answer = answers["/v2/account"] ?? RequestUser.current
                answers["/v2/account"] = answer
                return answer
            }
            let first = RequestUser.$current.withValue(Users.ada, operation: account)
            let second = RequestUser.$current.withValue(Users.bea, operation: account)
            return [first, second]
        } withPackage: {
            let answers = IdentityCache<String, Identity?>(limit: 10)
            let account = { @Sendable (user: Identity) in
                try await withIdentity(user) { try await answers.value(for: "/v2/account") { Identity.current } }
            }
            return [try await account(Users.ada), try await account(Users.bea)]
        }
    }
}
