import MultiIdentity
import Testing

@Suite("A scope around asynchronous code binds the task") struct AsyncScopeTests {
    private enum Refused: Error, Equatable { case because(Int) }

    private final class Draft {
        var text = "draft"
    }

    private actor Mailbox {
        private let draft = Draft()  // not Sendable: captured and returned without leaving this actor
        private var letters: [String] = []

        func receive(from sender: Identity) async -> (before: Bool, inside: [Identity?], count: Int) {
            let before = Identity.current == nil
            let (inside, same) = await withIdentity(sender) {
                self.assertIsolated()
                letters.append(draft.text)
                let first = Identity.current
                await Task.yield()
                self.assertIsolated()
                letters.append(draft.text)
                return ([first, Identity.current], draft)
            }
            assertIsolated()
            return (before && same === draft, inside, letters.count)
        }
    }

    @Test("on whatever actor its caller is", .rule("3.3"), arguments: 0..<4)
    func actor(_ round: Int) async {
        let outcome = await Mailbox().receive(from: ada)
        #expect(outcome.before)
        #expect(outcome.inside == [ada, ada])
        #expect(outcome.count == 2)
    }

    /// Isolated to its caller, and to no actor by its own declaration.
    private nonisolated(nonsending) func isMainInside() async -> [Bool] {
        await withIdentity(ada) { () async -> [Bool] in
            let before = MainProbe.system()
            await Task.yield()
            return [before, MainProbe.system()]
        } + [MainProbe.system()]
    }

    @Test("even if only the caller's caller knows the actor")
    @MainActor
    func callersActor() async {
        #expect(await isMainInside() == [true, true, true])
        await Task.detached { #expect(await isMainInside() == [false, false, false]) }.value
    }

    @Test("errors keep their type, and the outer identity is restored", .rule("3.2"))
    func typedThrows() async {
        await withIdentity(ada) {
            do throws(Refused) {
                try await withIdentity(grace) { () async throws(Refused) in
                    await Task.yield()
                    throw .because(3)
                }
            } catch {
                #expect(error == .because(3))
            }
            #expect(Identity.current == ada)
        }
        #expect(Identity.current == nil)
    }

    @Test("no suspension point is added: a single step on an actor stays a single step", .rule("3.3", "4.7"))
    @MainActor
    func noSuspension() async {
        var steps: [String] = []
        let other = Task { @MainActor in steps.append("other") }
        steps.append("before")
        await withIdentity(ada) { () async in steps.append("inside") }
        await IdentitySnapshot(of: ada).restore { () async in steps.append("restored") }
        await withIdentityLevels(IdentityLevels()) { () async in steps.append("levels") }
        await Task.propagatingIdentity.withCancellationHandler {
            MainActor.assertIsolated()
            steps.append("handled")
        } onCancel: {
        }
        await Task.propagatingIdentity.withPriorityEscalationHandler {
            MainActor.assertIsolated()
            steps.append("escalating")
        } onPriorityEscalated: { _, _ in
        }
        steps.append("after")
        await other.value
        #expect(steps == ["before", "inside", "restored", "levels", "handled", "escalating", "after", "other"])
    }
}
