import MultiIdentity
import MultiIdentityLease

extension Incident {
    static let cached = [batchLoader, singleFlight, cache]

    private static let batchLoader = Incident(
        name: "batch-loader",
        title: "A batch loader with the first caller's token",
        symptom: "under load some users see what only others may see, or are refused as others are",
        kind: .cached,
        references: [.issue("graph-gophers/dataloader", 121), .issue("graphql/dataloader", 56)],
        mechanism: """
            A loader that lives as long as the server gathers what is asked for within some milliseconds, and asks for all of it \
            at once, with the context of the first request in the batch.
            """,
        model: "The milliseconds are over when both have asked; the data source answers for the caller.",
        lesson: "A batch has one caller's rights. Only calls of that caller belong into it.",
        keeper: Keeper("`IdentityKeyed.Batcher`", see: "Leases.md#caches-single-flights-batches"),
        asPublished: {
            let (batches, isOver) = (Flights<String>(), Signal())
            let load = { @Sendable in
                batches.join("now") {
                    await isOver.wait()
                    return RequestUser.current
                }
            }
            let first = RequestUser.$current.withValue(Users.ada, operation: load)
            let second = RequestUser.$current.withValue(Users.bea, operation: load)
            isOver.come()
            return both("row", saw: await first.value, await second.value)
        },
        withPackage: {
            let rows = IdentityKeyed.Batcher<Int, Identity?>(limit: 2, window: .seconds(1)) { numbers in
                Dictionary(uniqueKeysWithValues: numbers.map { ($0, Identity.current) })
            }
            let row = { @Sendable (user: Identity, number: Int) in
                try await withIdentity(user) { try await rows.value(for: number) }
            }
            // Two rows each: a batch is loaded when it has two.
            async let (first, second) = (row(Users.ada, 1), row(Users.bea, 1))
            async let others = (row(Users.ada, 2), row(Users.bea, 2))
            _ = try await others
            return both("row", saw: try await first, try await second)
        }
    )

    private static let singleFlight = Incident(
        name: "single-flight",
        title: "A single flight that several users board",
        symptom: "two who ask for the same at once get one answer, which is one's own",
        kind: .cached,
        references: [.issue("Michad/tilegroxy", 942), .issue("tailscale/setec", 98)],
        mechanism: """
            Requests for one thing that come while it is being made wait for that one. The key says what is asked for and not who \
            asks: all get what the first may see, and the first one's cancellation.
            """,
        model: "The answer is kept back until both have asked.",
        lesson: "The same question of two users is two questions, unless its answer is everybody's.",
        keeper: Keeper("`IdentityKeyed.SingleFlight`", see: "Leases.md#caches-single-flights-batches"),
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
            let (flights, isReady) = (IdentityKeyed.SingleFlight<String, Identity?>(), Signal())
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
        symptom: "a page or an answer is another user's, and right again some minutes later",
        kind: .cached,
        references: [.issue("Archomeda/Gw2Sharp", 1), .issue("morcen/passage", 111)],
        mechanism: """
            Answers are kept by address. Two users who send different tokens to one address are one to the cache, and the \
            second gets the first one's account.
            """,
        model: "The server behind the cache answers with the account of the caller.",
        lesson: "Whatever the answer depends on is in the key, and that is the caller first of all.",
        keeper: Keeper("`IdentityKeyed.Cache`", see: "Leases.md#caches-single-flights-batches"),
        asPublished: {
            let answers = Memo<String, Identity?>()
            let account = { answers("/v2/account") { RequestUser.current } }
            let first = RequestUser.$current.withValue(Users.ada, operation: account)
            let second = RequestUser.$current.withValue(Users.bea, operation: account)
            return both("account", saw: first, second)
        },
        withPackage: {
            let answers = IdentityKeyed.Cache<String, Identity?>(limit: 10)
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
