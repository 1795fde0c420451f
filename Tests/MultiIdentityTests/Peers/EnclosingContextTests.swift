import Testing

@testable import MultiIdentity

/// The context of asynchronous code that opens a scope: what is bound around it, and its thread.
struct Enclosing: Sendable, CustomTestStringConvertible {
    enum Place: Sendable, CaseIterable {
        case pool, main, somebodysThread
    }

    let testDescription: String
    let identity: Identity?
    let place: Place
    private let enclose: @Sendable (@escaping @Sendable () async -> Void) async -> Void

    private static let ada = try? Identity("ada@contoso.com")
    private static let bob = try? Identity("bob@contoso.com")

    private typealias Around = @Sendable (@escaping @Sendable () async -> Void) async -> Void

    private static let arounds: [(String, Identity?, Around)] = [
        ("nothing bound", nil, { body in await body() }),
        ("somebody bound", ada, { body in await withIdentity(ada) { await body() } }),
        ("nobody bound", .nobody, { body in await withIdentity(.nobody) { await body() } }),
        (
            "unset inside somebody's", nil,
            { body in await withIdentity(ada) { await withIdentity(nil) { await body() } } }
        ),
        ("a second one bound", bob, { body in await withIdentity(ada) { await withIdentity(bob) { await body() } } }),
        ("a snapshot restored", ada, { body in await IdentitySnapshot(of: ada).restore { () async in await body() } }),
        (
            "nothing restored", nil,
            { body in
                await withIdentity(ada) { await IdentitySnapshot(of: nil).restore { () async in await body() } }
            }
        ),
        (
            "levels of one's own", ada,
            { body in
                await withIdentity(ada) { await withIdentityLevels(IdentityLevels()) { await body() } }
            }
        ),
        (
            "a child's", ada,
            { body in
                await withIdentity(ada) {
                    await withTaskGroup(of: Void.self) { group in group.addTask { await body() } }
                }
            }
        ),
    ]

    static let all = Place.allCases.flatMap { place in
        arounds.map { name, identity, enclose in
            Enclosing(testDescription: "\(name), \(place)", identity: identity, place: place, enclose: enclose)
        }
    }

    /// Runs `body` in its own task; returns the state of borrowed threads after each job.
    func run(_ body: @escaping @Sendable () async -> Void) async -> [Look] {
        let threads = BorrowedThreads(of: try? Identity("owner-of-the-thread@contoso.com"))
        switch place {
        case .pool: await Task { await enclose(body) }.value
        case .main: await Task { @MainActor in await enclose(body) }.value
        case .somebodysThread: await Task(executorPreference: threads) { await enclose(body) }.value
        }
        return threads.looksAfterJobs
    }
}

@Suite("Whatever a scope does, and whatever encloses it") struct EnclosingContextTests {
    @Test(
        "the scope is bound after every await, and its context is restored after it",
        .rule("3.2"),
        .timeLimit(.minutes(20)),
        arguments: AsyncBody.all,
        Enclosing.all
    )
    func matrix(_ body: AsyncBody, _ enclosing: Enclosing) async throws {
        let (looks, wrong) = (Notes<Look>(), Notes<Identity?>())
        let ofThreads = await enclosing.run {
            looks.add(Look())
            for inner in [grace, .nobody, nil] {
                let inside = await body.run(inner)
                looks.add(Look())
                for identity in inside where identity != inner { wrong.add(identity) }
                if inside.isEmpty { wrong.add(inner) }
                await Task.yield()
                looks.add(Look())
            }
        }
        #expect(wrong.all == [])
        #expect(looks.all.count == 7)
        #expect(looks.all.allSatisfy { Look.shows(enclosing.identity, $0) })
        let owner = try Identity("owner-of-the-thread@contoso.com")
        #expect(ofThreads.isEmpty == (enclosing.place != .somebodysThread))
        #expect(ofThreads.allSatisfy { Look.shows(owner, $0) }, "each thread was as its owner had left it")
    }
}
