import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("An identity that automatic mode infers", .rule("4.14")) struct InferredIdentityTests {
    private static let mail = IdentityInference(boundary: .async, place: "mail")

    /// Returns whether a line begins with this text, and ends with the inference; if another test has sites recorded, the site
    /// is in between.
    private func shows(_ explanation: Explanation, _ decided: String) -> Bool {
        explanation.description.split(separator: "\n").contains { line in
            line.contains("thread   \(decided)") && line.hasSuffix("inferred by automatic mode at async on \"mail\"")
        }
    }

    @Test("is like any other, in one word, unless it is marked") func decides() async {
        // In its own process, where no feature needs a frame.
        await #expect(processExitsWith: .success) {
            withIdentity(ada) {
                let word = CapturedWord.captured(at: { .async }, of: { "mail" })
                #expect(word == ThreadMirror.bits(of: IdentitySnapshot(.identity(ada))) ^ ThreadMirror.bitsOfNothing)
                CapturedWord.release(word)
            }
            #expect(asInferred(ada) { IdentityInference.current } == nil)
        }
    }

    @Test(
        "is shown and explained if it is marked, and decides",
        arguments: [Identity.nobody, try? Identity("eve@contoso.com")]
    )
    func marked(_ identity: Identity?) async throws {
        let identity = try #require(identity)
        await whileInferred(.isMarked) {
            asInferred(identity) {
                #expect(Identity.current == identity)
                #expect(IdentityInference.current == Self.mail)
                #expect((try? Identity.required()) == identity)
                let explanation = EffectiveIdentity.current(for: .files).explanation
                #expect(explanation.identity == identity)
                #expect(explanation.inference == Self.mail)
                #expect(explanation.withheld == nil)
                #expect(shows(explanation, "\(identity) <- decided, "))
            }
        }
    }

    @Test("decides nothing if it is display-only: required() throws, and the work counts as nobody's")
    func onlyShown() async throws {
        let levels = IdentityLevels(process: grace, ui: grace, mainProbe: { true })
        await whileInferred(.isOnlyShown) {
            withIdentityLevels(levels) {
                asInferred(ada) {
                    #expect(Identity.current == ada)
                    let error = expect(throws: IdentityError.Code.inferredIdentity) {
                        try Identity.required(fileID: "A.swift", line: 1)
                    }
                    #expect(
                        error?.message == """
                            A.swift:1 requires an identity, and ada@contoso.com is only shown here: automatic mode inferred \
                            it from the code that handed the work over (async on "mail"), which may act for another identity. Wrap \
                            the closure where its owner hands it over, with IdentitySnapshot.capture().wrap, or open a scope \
                            of its owner in it.
                            """
                    )
                    for purpose in EffectiveIdentity.Purpose.allCases {
                        #expect(EffectiveIdentity.current(for: purpose).identity == .nobody)
                        #expect(EffectiveIdentity.current(for: purpose).level == .thread)
                    }
                    let explanation = EffectiveIdentity.current(for: .files).explanation
                    #expect(explanation.withheld == ada)
                    #expect(shows(explanation, "(nobody) <- decided in place of ada@contoso.com, "))
                }
            }
        }
    }

    @Test("decides nothing if it is display-only, and does not conflict with a switch") func elsewhere() async {
        await whileInferred(.isOnlyShown) {
            asInferred(ada) {
                #expect(Identity.forDeciding(by: "This test") == nil)
                let levels = IdentityLevels(mainProbe: { true })
                #expect(levels.identityAtOdds(withSwitchTo: grace) == nil)
            }
        }
    }

    @Test("stays inferred in everything that inferred work hands over and starts") func handedOn() async {
        await whileInferred(.isMarked) {
            let (wrapped, task, detached, queued) = asInferred(ada) {
                let wrapped: @Sendable () -> IdentityInference? = IdentitySnapshot.capture().wrap { .current }
                return (
                    wrapped, Task { IdentityInference.current },
                    Task.propagatingIdentity.detached { IdentityInference.current },
                    IdentityQueue(label: "next").sync { IdentityInference.current }
                )
            }
            #expect(wrapped() == Self.mail)
            #expect(await task.value == Self.mail)
            #expect(await detached.value == Self.mail)
            #expect(queued == Self.mail)
            // Automatic mode's own captures inside it have its origin, and so do custom levels.
            let word = asInferred(ada) { withIdentityLevels { CapturedWord.captured(at: { .notify }, of: { "next" }) } }
            var here: (Identity?, IdentityInference?)
            CapturedWord.run(word, at: { .notify }) { here = (.current, .current) }
            #expect(here == (ada, Self.mail))
        }
    }

    @Test("gives way to explicit identities: a scope inside, and a capture outside") func explicit() async {
        await whileInferred(.isOnlyShown) {
            let wrapped = withIdentity(grace) { IdentitySnapshot.capture().wrap { try? Identity.required() } }
            asInferred(ada) {
                #expect(wrapped() == grace)
                #expect(withIdentity(ada) { try? Identity.required() } == ada)
                #expect(withIdentity(ada) { IdentityInference.current } == nil)
            }
            #expect(asInferred(nil) { (Identity.current, IdentityInference.current) } == (nil, nil))
        }
    }

    @Test("is explicit if the work's runner is bound to it, such as an item that its creator performs")
    func vouchedFor() async throws {
        let byGrace = try ada.acted(by: grace)
        await whileInferred(.isOnlyShown) {
            let word = withIdentity(ada) { CapturedWord.captured(at: { .workItem }, of: { nil }) }
            func performed() -> Identity? {
                var required: Identity?
                CapturedWord.runKept(word, at: { .workItem }) { required = try? Identity.required() }
                return required
            }
            #expect(withIdentity(ada) { performed() } == ada)
            #expect(withIdentity(grace) { performed() } == nil)
            #expect(withIdentity(byGrace) { performed() } == nil)
            #expect(withIdentity(nil) { performed() } == nil)
            // An inferred identity vouches for no one.
            #expect(asInferred(ada) { performed() } == nil)
            CapturedWord.release(word)
        }
    }

    @Test("makes work that follows it inferred too, unless that runs as a named identity")
    func joined() async {
        await whileInferred(.isMarked) {
            func followed(by rule: IdentityFanIn.Rule) -> IdentityInference? {
                let (fanIn, seen) = (IdentityFanIn(), Notes<IdentityInference?>())
                asInferred(ada) { fanIn.contribute() }
                fanIn.wrap(as: rule) { _ in seen.add(.current) }()
                return seen.all.first.flatMap(\.self)
            }
            #expect(followed(by: .contributors) == Self.mail)
            #expect(followed(by: .explicit(ada)) == nil)
            #expect(followed(by: .registrant) == nil)
        }
    }

    @Test("is reported by strict mode if it is read, whether it decides or not") func strict() async {
        for (effect, outcome) in [(IdentityInference.Effect.isMarked, "was given"), (.isOnlyShown, "was not given")] {
            let found = FindingNotes { $0.strictness = [.requirements, .reads] }
            await whileInferred(effect) {
                withIdentityLevels(found.levels) {
                    asInferred(ada) {
                        _ = try? Identity.required(fileID: "App/Store.swift", line: 30)
                        _ = EffectiveIdentity.current(for: .files)
                        _ = Identity.current
                    }
                }
            }
            #expect(found.all.map(\.kind) == [.inferredIdentity, .inferredIdentity])
            #expect(found.all.map(\.identity) == [ada, ada])
            #expect(
                found.all.first?.message.hasPrefix(
                    "Identity.required() was called, at App/Store.swift:30, and \(outcome) ada@contoso.com: automatic mode"
                ) == true
            )
            #expect(found.all.first?.hops.map(\.description) == ["async on \"mail\""])
        }
    }
}
