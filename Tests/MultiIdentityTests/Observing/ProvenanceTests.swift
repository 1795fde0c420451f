import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("An explanation with provenance") struct ProvenanceTests {
    @Test("lists everything from the scope over every hop to here", .rule("2.5"))
    func description() async {
        let explanation = await ProcessWideSwitch.exclusively(turning: { Explanation.recordsProvenance = $0 }) {
            let mail = IdentityQueue(label: "mail")
            let index = IdentityQueue(label: "index")
            return await withCheckedContinuation { (continuation: CheckedContinuation<Explanation, Never>) in
                withIdentity(ada, fileID: "App/Handler.swift", line: 12) {
                    mail.async(
                        execute: {
                            index.async(
                                flags: .barrier,
                                execute: {
                                    continuation.resume(returning: EffectiveIdentity.current(for: .files).explanation)
                                },
                                fileID: "App/Mail.swift",
                                line: 55
                            )
                        },
                        fileID: "App/Mail.swift",
                        line: 40
                    )
                }
            }
        }
        #expect(
            "\(explanation)" == """
                file work counts as ada@contoso.com
                  thread   ada@contoso.com <- decided, bound at App/Handler.swift:12
                           - handed over by async on "mail", captured at App/Mail.swift:40
                           - handed over by async on "index", captured at App/Mail.swift:55
                  UI       not asked
                  process  not asked
                """
        )
        #expect(explanation.hops.map(\.boundary.name) == ["async", "async"])
        #expect(explanation.hopCount == 2)
    }

    @Test("a nested scope within handed-over work starts again", .rule("2.5"))
    func scopeWithin() async {
        let explanation = await ProcessWideSwitch.exclusively(turning: { Explanation.recordsProvenance = $0 }) {
            let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
            return snapshot.restore { withIdentity(grace) { EffectiveIdentity.current(for: .files).explanation } }
        }
        #expect(explanation.hops.isEmpty)
        #expect(explanation.identity == grace)
    }

    @Test("stores the first and the latest of many hops, and counts them all", .rule("2.5"))
    func manyHops() async {
        let explanation = await ProcessWideSwitch.exclusively(turning: { Explanation.recordsProvenance = $0 }) {
            var snapshot = withIdentity(ada) { IdentitySnapshot.capture(fileID: "First/Hop.swift", line: 1) }
            for line in 2...1_000 as ClosedRange<UInt> {
                snapshot = snapshot.restore { IdentitySnapshot.capture(fileID: "Later/Hop.swift", line: line) }
            }
            return snapshot.restore { EffectiveIdentity.current(for: .files).explanation }
        }
        #expect(explanation.hopCount == 1_000)
        #expect(explanation.hops.map { $0.site?.line } == [1] + (986...1_000).map { $0 })
        #expect("\(explanation)".contains("- … 984 more\n"))
        #expect(explanation.hops.map(\.time) == explanation.hops.map(\.time).sorted())
    }

    @Test("unset work lists its hops too", .rule("2.5"))
    func unset() async {
        let explanation = await ProcessWideSwitch.exclusively(turning: { Explanation.recordsProvenance = $0 }) {
            let snapshot = withIdentity(nil) { IdentitySnapshot.capture(fileID: "App/Timer.swift", line: 3) }
            return snapshot.restore { EffectiveIdentity.current(for: .files).explanation }
        }
        #expect("\(explanation)".contains("- handed over by snapshot, captured at App/Timer.swift:3\n"))
    }

    @Test("is released with its work, outside its scope, run or not", .rule("6.2"), arguments: [true, false])
    func goes(_ isRun: Bool) async {
        let outcome = await ProcessWideSwitch.exclusively(turning: { Explanation.recordsProvenance = $0 }) {
            return await Farewell.outcome { farewell in
                let queue = IdentityQueue(label: "mail")
                let work: @Sendable () -> Void = { withExtendedLifetime(farewell) {} }
                withIdentity(ada) {
                    if isRun { return queue.async(execute: work) }
                    queue.asyncAfter(deadline: .distantFuture, execute: work)
                }
            }
        }
        #expect(outcome == .released(whileBound: nil))
    }

    @Test("escapes a label that could act on a terminal", .rule("2.5"))
    func hostileLabel() {
        let hop = KeptHop(.async, onto: "a\u{1B}[31m\nb", nil)
        #expect("\(hop)" == "async on \"a\\u{1B}[31m\\nb\"")
    }
}
