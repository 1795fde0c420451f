import Dispatch
import MultiIdentity
import Testing

@Suite("A scope binds the thread level until it ends") struct ScopeTests {
    private enum Refused: Error, Equatable { case because(Int) }

    /// Not `Sendable`: a scope does not require it if Swift does not.
    private final class Draft {
        var text = "draft"
    }

    @Test(
        "every value can be bound, and is gone afterwards",
        .rule("3.1"),
        .guide("setCurrentThreadIdentity"),
        arguments: [try Identity("Ada@contoso.com"), .nobody, nil]
    )
    func binds(_ identity: Identity?) async {
        #expect(Identity.current == nil)
        let seen = withIdentity(identity) { Identity.current }
        #expect(seen == identity)
        #expect(seen?.name == identity?.name)
        #expect(Identity.current == nil)
        let onThread = await onNewThread { [Identity.current, withIdentity(identity) { Identity.current }, .current] }
        #expect(onThread == [nil, identity, nil])
    }

    @Test("the inner of two scopes wins, and the outer is restored after it; nil unsets inside", .rule("3.2"))
    func nesting() async {
        let seen = await onNewThread { () -> [Identity?] in
            var seen: [Identity?] = []
            withIdentity(ada) {
                withIdentity(grace) {
                    seen.append(.current)
                    withIdentity(nil) {
                        seen.append(.current)
                        withIdentity(.nobody) { seen.append(.current) }
                        seen.append(.current)
                    }
                    seen.append(.current)
                }
                seen.append(.current)
            }
            return seen + [.current]
        }
        #expect(seen == [grace, nil, .nobody, nil, grace, ada, nil])
    }

    @Test("a value that is not Sendable can be captured, changed and returned", .rule("3.3"))
    func notSendable() {
        let draft = Draft()
        let same = withIdentity(ada) {
            draft.text += " of \(Identity.current?.name ?? "")"
            return draft
        }
        #expect(same === draft)
        #expect(draft.text == "draft of ada@contoso.com")
    }

    @Test("errors keep their type and leave the outer identity bound", .rule("3.2"))
    func typedThrows() async {
        let seen = await onNewThread { () -> [Identity?] in
            withIdentity(ada) {
                var seen: [Identity?] = []
                do throws(Refused) {
                    try withIdentity(grace) { () throws(Refused) in
                        seen.append(.current)
                        throw .because(7)
                    }
                } catch {
                    // Compiles only if `error` is a Refused.
                    if error == .because(7) { seen.append(.current) }
                }
                return seen
            } + [.current]
        }
        #expect(seen == [grace, ada, nil])
    }

    @Test("untyped errors cross, and scopes that throw nothing need no try", .rule("3.3"))
    func untypedThrows() {
        let draft = Draft()
        #expect(throws: Refused.because(1)) {
            try withIdentity(ada) { () throws in
                draft.text = "seen"
                throw Refused.because(1)
            }
        }
        #expect(draft.text == "seen")
        #expect(Identity.current == nil)
        let length: Int = withIdentity(ada) { 3 }
        #expect(length == 3)
    }

    @Test(
        "a thousand nested scopes do not overflow, and each has its own identity",
        .rule("3.2"),
        .timeLimit(.minutes(20))
    )
    func deepNesting() async throws {
        let identities = try (0..<1_000).map { try Identity("user-\($0)@contoso.com") }
        let wrong = await onNewThread { () -> [Int] in
            func descend(_ depth: Int) -> [Int] {
                guard depth < identities.count else { return [] }
                return withIdentity(identities[depth]) {
                    let before = Identity.current == identities[depth]
                    let wrong = descend(depth + 1)
                    return before && Identity.current == identities[depth] ? wrong : wrong + [depth]
                }
            }
            return descend(0) + (Identity.current == nil ? [] : [-1])
        }
        #expect(wrong == [])
    }

    @Test("a scope binds only its own thread", .rule("3.1"))
    func otherThreads() async {
        await withIdentity(ada) {
            #expect(await onNewThread { Identity.current } == nil)
            #expect(Identity.current == ada)
        }
    }

    @Test("the contents of a scope's levels are released when the outer identity is restored", .rule("6.2"))
    func releasedOutside() async {
        let outcome = await Farewell.outcome { farewell in
            withIdentity(ada) {
                let probe: @Sendable () -> Bool = { withExtendedLifetime(farewell) { false } }
                withIdentityLevels(IdentityLevels(mainProbe: probe)) {
                    withIdentity(.nobody) {}
                }
            }
        }
        #expect(outcome != .leaked)
        #expect(outcome != .released(whileBound: .nobody))
    }
}
