import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A run loop that performs blocks, plain and carrying identity") struct RunLoopTests {
    @Test("performs them in the order in which it got them, each as its own giver", .rule("4.7"))
    func order() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        let runs = Notes<String>()
        let note: @Sendable (Int) -> Void = { runs.add("\($0) \(Identity.current?.name ?? "unset")") }
        await onNewThread {
            let loop = RunLoop.current
            withIdentity(ada) { loop.propagatingIdentity.perform { note(1) } }
            withIdentity(ada) { loop.perform { note(2) } }
            loop.propagatingIdentity.perform(inModes: [.default]) { note(3) }
            withIdentity(.nobody) { loop.propagatingIdentity.perform { note(4) } }
            withIdentity(grace) { TimerTests.runCurrentLoop { runs.all.count == 4 } }
        }
        #expect(runs.all == ["1 ada@contoso.com", "2 grace@contoso.com", "3 unset", "4 "])
    }

    @Test("performs only what is for the mode that it runs in", .rule("4.7"))
    func modes() async {
        let runs = Notes<String>()
        let first = await onNewThread { () -> [String] in
            let loop = RunLoop.current
            let mode = RunLoop.Mode("multi-identity.test")
            loop.propagatingIdentity.perform(inModes: [mode]) { runs.add("mode") }
            loop.propagatingIdentity.perform { runs.add("default") }
            TimerTests.runCurrentLoop { !runs.all.isEmpty }
            let first = runs.all
            while runs.all.count < 2 { _ = loop.run(mode: mode, before: Date(timeIntervalSinceNow: 0.01)) }
            return first
        }
        #expect(first == ["default"])
        #expect(runs.all == ["default", "mode"])
    }

    @Test("performs what a performed block gives it, as the identity that gave it", .rule("4.7"))
    func nested() async throws {
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        let runs = Notes<Identity?>()
        await onNewThread {
            withIdentity(ada) {
                RunLoop.current.propagatingIdentity.perform {
                    runs.add(.current)
                    withIdentity(.nobody) { RunLoop.current.propagatingIdentity.perform { runs.add(.current) } }
                }
            }
            withIdentity(grace) { TimerTests.runCurrentLoop { runs.all.count == 2 } }
        }
        #expect(runs.all == [ada, .nobody])
    }
}
