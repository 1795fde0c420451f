import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A run loop that performs blocks, plain and carrying identity") struct RunLoopTests {
    @Test("performs only blocks for its current mode", .rule("4.7"))
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
}
