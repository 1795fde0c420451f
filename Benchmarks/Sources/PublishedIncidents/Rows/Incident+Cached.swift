import MultiIdentity

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
        model: "The milliseconds are over when both have asked; the data source answers for whoever asks it.",
        lesson: "A batch has one caller's rights. Only calls of that caller belong into it.",
        keeper: Keeper("`Identity.required()` in the key", see: "Construction.md#what-user-code-can-still-do"),
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
            let (batches, isOver) = (Flights<Identity>(), Signal())
            let load = { @Sendable in
                batches.join(try Identity.required()) {
                    await isOver.wait()
                    return Identity.current
                }
            }
            let first = try withIdentity(Users.ada, load)
            let second = try withIdentity(Users.bea, load)
            isOver.come()
            return both("row", saw: await first.value, await second.value)
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
        model: "The answer is held back until both have asked.",
        lesson: "The same question of two users is two questions, unless its answer is everybody's.",
        keeper: Keeper("`Identity.required()` in the key", see: "Construction.md#what-user-code-can-still-do"),
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
            let (flights, isReady) = (Flights<KeyOfOne>(), Signal())
            let tile = { @Sendable in
                flights.join(try KeyOfOne("private/5/1/1")) {
                    await isReady.wait()
                    return Identity.current
                }
            }
            let first = try withIdentity(Users.ada, tile)
            let second = try withIdentity(Users.bea, tile)
            isReady.come()
            return both("tile", saw: await first.value, await second.value)
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
        model: "The server behind the cache answers with the account of whoever asks.",
        lesson: "Whatever the answer depends on is in the key, and that is the caller first of all.",
        keeper: Keeper("`Identity.required()` in the key", see: "Construction.md#what-user-code-can-still-do"),
        asPublished: {
            let answers = Memo<String, Identity?>()
            let account = { answers("/v2/account") { RequestUser.current } }
            let first = RequestUser.$current.withValue(Users.ada, operation: account)
            let second = RequestUser.$current.withValue(Users.bea, operation: account)
            return both("account", saw: first, second)
        },
        withPackage: {
            let answers = Memo<KeyOfOne, Identity?>()
            let account = { answers(try KeyOfOne("/v2/account")) { Identity.current } }
            return both("account", saw: try withIdentity(Users.ada, account), try withIdentity(Users.bea, account))
        }
    )

    private static func both(_ what: String, saw first: Identity?, _ second: Identity?) -> [Sighting] {
        [
            Sighting("Ada's \(what)", of: Users.ada, saw: first),
            Sighting("Bea's \(what)", of: Users.bea, saw: second),
        ]
    }

    /// A key of one user's.
    private struct KeyOfOne: Hashable {
        let user: Identity
        let name: String

        init(_ name: String) throws {
            user = try Identity.required()
            self.name = name
        }
    }
}
