import Dispatch
import MultiIdentity
import Testing

@Suite("Immediate detached tasks that carry identity") struct ImmediateDetachedTests {
    static let identities: [Identity?] = [Users.ada, .nobody, nil]

    private enum Local {
        @TaskLocal static var value = 0
    }

    @Test(
        "begin on the caller's thread, before the call returns, and keep their identity after a suspension",
        .rule("4.5"),
        arguments: identities
    )
    func creator(_ identity: Identity?) async throws {
        let seen = Notes<Identity?>()
        let task = await onNewThread {
            let task = withIdentity(identity) {
                Task.propagatingIdentity.immediateDetached { () async -> Void in
                    seen.add(.current)
                    await Task.yield()
                    seen.add(.current)
                }
            }
            #expect(seen.all.first == .some(identity))
            #expect(Identity.current == nil)
            return task
        }
        await task.value
        #expect(seen.all == [identity, identity])
    }

    @Test("inherit nothing else, like plain ones, which also lose the identity", .rule("4.7"))
    func nothingElse() async {
        let (plain, carried) = await Local.$value.withValue(7) {
            await withIdentity(ada) {
                (
                    await Task.immediateDetached { () async -> (Identity?, Int) in (.current, Local.value) }.value,
                    await Task.propagatingIdentity.immediateDetached { () async -> (Identity?, Int) in
                        (.current, Local.value)
                    }.value
                )
            }
        }
        #expect(plain == (nil, 0))
        #expect(carried == (ada, 0))
    }

    @Test("throw the errors of their operation", .rule("4.7"))
    func errors() async {
        await #expect(throws: CancellationError.self) {
            try await Task.propagatingIdentity.immediateDetached { () async throws in throw CancellationError() }.value
        }
    }
}
