import Dispatch
import MultiIdentity
import Testing

@Suite("The language carries identity into tasks, as this package requires") struct TaskInheritanceTests {
    static let identities: [Identity?] = [Users.ada, .nobody, nil]

    private enum Local {
        @TaskLocal static var value = 0
    }

    @Test(
        "the carrying counterpart inherits nothing else: no priority, no actor, no other task-local value",
        .rule("4.7")
    )
    @MainActor
    func twinIsDetached() async {
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

    @Test("the carrying counterpart's errors, values and cancellation are those of its task", .rule("4.7"))
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

    @Test("children that are added inside a scope run as its identity, in groups of every kind", arguments: identities)
    func everyKindOfGroup(_ inner: Identity?) async throws {
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

    @Test("a task that is created outside a task carries the innermost scope, and keeps it when that ends")
    func fromAThread() async {
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
}
