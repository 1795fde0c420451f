import MultiIdentity
import MultiIdentityLease

extension Incident {
    static let cached = [singleFlight, cache]

    private static let singleFlight = Incident(
        name: "single-flight",
        title: "A single flight that several users board",
        references: [.issue("Michad/tilegroxy", 942), .issue("tailscale/setec", 98)],
        mechanism: """
            Requests for one thing that come while it is being made wait for that one. The key says what is asked for and not who \
            asks: all get what the first may see, and the first one's cancellation.
            """,
        lesson: "The same question of two users is two questions, unless its answer is everybody's.",
        keeper: "IdentitySingleFlight",
        asPublished: {
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
            return both("tile", saw: await first.value, await second.value)
        },
        withPackage: {
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
            return both("tile", saw: try await first, try await second)
        }
    )

    private static let cache = Incident(
        name: "cache-without-caller",
        title: "A cache that is keyed without its caller",
        references: [.issue("Archomeda/Gw2Sharp", 1), .issue("morcen/passage", 111)],
        mechanism: """
            Answers are kept by address. Two users who send different tokens to one address are one to the cache, and the \
            second gets the first one's account.
            """,
        lesson: "Whatever the answer depends on is in the key, and that is the caller first of all.",
        keeper: "IdentityCache",
        asPublished: {
            var answers: [String: Identity?] = [:]
            func account() -> Identity? {
                let answer = answers["/v2/account"] ?? RequestUser.current
                answers["/v2/account"] = answer
                return answer
            }
            let first = RequestUser.$current.withValue(Users.ada, operation: account)
            let second = RequestUser.$current.withValue(Users.bea, operation: account)
            return both("account", saw: first, second)
        },
        withPackage: {
            let answers = IdentityCache<String, Identity?>(limit: 10)
            let account = { @Sendable (user: Identity) in
                try await withIdentity(user) { try await answers.value(for: "/v2/account") { Identity.current } }
            }
            return both("account", saw: try await account(Users.ada), try await account(Users.bea))
        }
    )

    private static func both(_ what: String, saw first: Identity?, _ second: Identity?) -> [Sighting] {
        [
            Sighting("Ada's \(what)", of: Users.ada, saw: first),
            Sighting("Bea's \(what)", of: Users.bea, saw: second),
        ]
    }
}
