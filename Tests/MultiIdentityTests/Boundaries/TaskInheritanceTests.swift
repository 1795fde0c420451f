import Dispatch
import MultiIdentity
import Testing

@Suite("The language carries identity into tasks, and we rely on it") struct TaskInheritanceTests {
    static let identities: [Identity?] = [Users.ada, .nobody, nil]

    private struct Unexpected: Error, Equatable {}

    private actor Mailbox {
        func owner() -> Identity? { Identity.current }
        func task() -> Task<Identity?, Never> { Task { Identity.current } }
    }

    @Test("into plain and immediate tasks, child tasks, groups and actors", .rule("4.5"), arguments: identities)
    func inherited(_ identity: Identity?) async {
        await withIdentity(identity) {
            #expect(await Task { Identity.current }.value == identity)
            #expect(await Task { @MainActor in Identity.current }.value == identity)
            #expect(await Task.immediate { Identity.current }.value == identity)
            let child = await withTaskExecutorPreference(OneQueue()) {
                async let child = Identity.current
                return await child
            }
            #expect(child == identity)
            let ofGroup = await withTaskGroup(of: Identity?.self) { group in
                for _ in 0..<4 { group.addTask { Identity.current } }
                return await group.reduce(into: [Identity?]()) { $0.append($1) }
            }
            #expect(ofGroup == Array(repeating: identity, count: 4))
            #expect(await Mailbox().owner() == identity)
            #expect(await Mailbox().task().value == identity)
        }
    }

    @Test("but not into plain detached tasks, which have a twin that carries", .rule("4.5"), arguments: identities)
    func detached(_ identity: Identity?) async {
        await withIdentity(identity) {
            #expect(await Task.detached { Identity.current }.value == nil)
            #expect(await Task.propagatingIdentity.detached { Identity.current }.value == identity)
            let throwing = Task.propagatingIdentity.detached { () async throws in Identity.current }
            #expect(await throwing.result.map { $0 == identity }.mapError { _ in Unexpected() } == .success(true))
            let seen = await Task.propagatingIdentity.detached { () async -> [Identity?] in
                let before = Identity.current
                await Task.yield()
                return [before, withIdentity(.nobody) { Identity.current }, Identity.current]
            }.value
            #expect(seen == [identity, .nobody, identity])
        }
    }

    private enum Local {
        @TaskLocal static var value = 0
    }

    @Test("the twin inherits nothing else: no priority, no actor, no other task-local value", .rule("4.7")) @MainActor
    func twinIsDetached() async throws {
        let ada = try Identity("ada@contoso.com")
        let seen = await Local.$value.withValue(7) {
            await withIdentity(ada) {
                await Task.propagatingIdentity.detached(priority: .low) { (Identity.current, Local.value) }.value
            }
        }
        #expect(seen == (ada, 0))
        let isolation = await Task.propagatingIdentity.detached { () async -> Bool in #isolation == nil }.value
        #expect(isolation)
        await Task.propagatingIdentity.detached { @MainActor in MainActor.assertIsolated() }.value
    }

    @Test("the twin's errors, values and cancellation are its task's", .rule("4.7"))
    func twinsOutcome() async {
        struct Refused: Error, Equatable {}
        await #expect(throws: Refused()) {
            try await Task.propagatingIdentity.detached { () async throws -> Int in throw Refused() }.value
        }
        let task = Task.propagatingIdentity.detached { () async -> Bool in
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    withUnsafeCurrentTask { $0?.cancel() }
                    continuation.resume()
                }
            } onCancel: {
            }
            return Task.isCancelled
        }
        #expect(await task.value)
        #expect(task.isCancelled)
    }

    @Test("a group's body may bind, and its children run as the identity that adds them")
    func groups() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        let seen = await withIdentity(ada) {
            await withTaskGroup(of: (Int, Identity?).self) { group in
                group.addTask { (0, Identity.current) }
                withIdentity(grace) { group.addTask { (1, Identity.current) } }
                withIdentity(nil) { group.addTask { (2, Identity.current) } }
                group.addTask { (3, withIdentity(.nobody) { Identity.current }) }
                return await group.reduce(into: [Int: Identity?]()) { $0[$1.0] = .some($1.1) }
            }
        }
        #expect(seen == [0: ada, 1: grace, 2: nil, 3: .nobody])
    }

    @Test("children that are added inside a scope run as it, in groups of every kind", arguments: identities)
    func everyKindOfGroup(_ inner: Identity?) async throws {
        let ada = try Identity("ada@contoso.com")
        let seen = Notes<Identity?>()
        let inGroup = try await withIdentity(ada) { () async throws -> [Identity?] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                withIdentity(inner) { group.addTask { seen.add(.current) } }
                try await group.waitForAll()
            }
            await withDiscardingTaskGroup { group in
                withIdentity(inner) { group.addTask { seen.add(.current) } }
            }
            try await withThrowingDiscardingTaskGroup { group in
                withIdentity(inner) { _ = group.addTaskUnlessCancelled { seen.add(.current) } }
            }
            return await withTaskGroup(of: Void.self) { group in
                // The scope ends before the child does, and before the group.
                await withIdentity(inner) { () async in
                    group.addTask { seen.add(.current) }
                    await Task.yield()
                }
                let before = Identity.current
                await group.waitForAll()
                return [before, .current]
            } + [.current]
        }
        #expect(seen.all == Array(repeating: inner, count: 4))
        #expect(inGroup == [ada, ada, ada])
    }

    @Test("a grandchild runs as the identity that its own parent bound, and the parent keeps what it had")
    func grandchildren() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        let seen = await withIdentity(ada) {
            await Task(executorPreference: OneQueue()) { () async -> [Identity?] in
                let grandchild = await withIdentity(grace) {
                    async let grandchild = Identity.current
                    let task = Task { Identity.current }
                    return [await grandchild, await task.value]
                }
                async let sibling = Identity.current
                return grandchild + [await sibling, .current]
            }.value
        }
        #expect(seen == [grace, grace, ada, ada])
    }

    @Test("a task that is made where no task runs takes the innermost scope along, and keeps it when that ends")
    func fromAThread() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let tasks = await onNewThread { () -> [Task<[Identity?], Never>] in
            func make() -> Task<[Identity?], Never> {
                Task {
                    let before = Identity.current
                    for await _ in gate {}
                    return [before, .current]
                }
            }
            return withIdentity(ada) {
                let outer = make()
                let inner = withIdentity(grace) { make() }
                return [outer, inner, withIdentity(nil) { make() }]
            } + [make()]
        }
        opener.finish()
        var seen: [[Identity?]] = []
        for task in tasks { seen.append(await task.value) }
        #expect(seen == [[ada, ada], [grace, grace], [nil, nil], [nil, nil]])
    }

    @Test("a child sees the parent's binding of the moment, not what is bound later", .rule("4.5"))
    func laterBinding() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let seen = await withIdentity(ada) {
            let child = Task { () async -> [Identity?] in
                let before = Identity.current
                for await _ in gate { break }
                return [before, Identity.current]
            }
            return await withIdentity(grace) {
                opener.yield()
                return await child.value
            }
        }
        #expect(seen == [ada, ada])
    }

    @Test("code after a continuation runs as the task that waited, not as who resumed it", .rule("4.5"))
    func continuation() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        await withIdentity(ada) {
            let resumer = await withCheckedContinuation { continuation in
                withIdentity(grace) {
                    IdentityQueue(label: "resumer").async { continuation.resume(returning: Identity.current) }
                }
            }
            #expect(resumer == grace)
            #expect(Identity.current == ada)
        }
    }
}
