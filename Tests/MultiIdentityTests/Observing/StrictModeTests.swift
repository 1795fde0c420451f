import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("Strict mode") struct StrictModeTests {
    @Test(
        "reports a required identity if none is bound, and names no one, whatever was bound there before",
        .rule("7.1")
    )
    func requirements() async throws {
        let found = FindingNotes { $0.strictness = [.requirements] }
        await onNewThread {
            withIdentityLevels(found.levels) {
                withIdentity(ada, fileID: "App/Handler.swift", line: 12) {}
                _ = try? Identity.required(fileID: "App/Store.swift", line: 30)
                _ = Identity.current  // this setting does not cover it
            }
        }
        let finding = try #require(found.all.first)
        #expect(found.all.count == 1)
        #expect(finding.kind == .noIdentity)
        #expect(finding.site?.description == "App/Store.swift:30")
        #expect(
            finding.message == """
                Identity.required() was called where no identity is bound, at App/Store.swift:30. No boundary handed \
                this work over: it began here, or a plain queue, thread or detached task brought it, which carries \
                nothing. Bind one where the work begins, and hand work over through propagatingIdentity.
                """
        )
    }

    @Test(
        "reports work that was handed over with nothing bound, and its hop",
        .rule("7.1")
    )
    func handedOverUnset() async throws {
        let found = FindingNotes { $0.strictness = [.reads] }
        await withCheckedContinuation { continuation in
            Origin.thread.run {
                withIdentityLevels(found.levels) {
                    withIdentity(ada, fileID: "App/Handler.swift", line: 12) {}
                    let work: @Sendable () -> Void = {
                        _ = Identity.current
                        continuation.resume()
                    }
                    IdentityQueue(label: "mail").async(execute: work, fileID: "App/Mail.swift", line: 40)
                }
            }
        }
        let finding = try #require(found.all.first)
        #expect(finding.hops.map(\.description) == ["async on \"mail\", captured at App/Mail.swift:40"])
        #expect(finding.message.contains("Nothing was bound where the work was handed over. Bind one where"))
        #expect("\(finding)".hasSuffix("\n  came by async on \"mail\", captured at App/Mail.swift:40"))
    }

    @Test("reports reads, but not if there is an identity or a level that is set", .rule("7.1"))
    func reads() {
        let found = FindingNotes(process: ada) { $0.strictness = [.reads] }
        withIdentityLevels(found.levels) {
            _ = withIdentity(ada) { Identity.current }
            _ = withIdentity(.nobody) { Identity.current }
            _ = EffectiveIdentity.current(for: .files)
            _ = try? Identity.required()
            #expect(found.all.isEmpty)
            _ = Identity.current
            #expect(found.all.count == 1)
            found.levels.process = nil
            _ = EffectiveIdentity.current(for: .files)
            #expect(found.all.count == 2)
        }
        #expect(found.all.allSatisfy { $0.kind == .noIdentity })
    }

    @Test("applies only to its own levels, and to none while it is off", .rule("7.1"))
    func alone() {
        let found = FindingNotes { $0.strictness = [.reads, .requirements] }
        _ = Identity.current
        withIdentityLevels(IdentityLevels()) { _ = Identity.current }
        found.levels.diagnostics.strictness = []
        withIdentityLevels(found.levels) { _ = Identity.current }
        #expect(found.all.isEmpty)
    }

    @Test("does not report its own response", .rule("7.1"))
    func response() {
        let levels = IdentityLevels()
        let calls = Notes<Identity?>()
        levels.diagnostics.strictness = [.reads]
        levels.diagnostics.response = .report { _ in calls.add(Identity.current) }
        withIdentityLevels(levels) { _ = Identity.current }
        #expect(calls.all == [nil])
    }

    @Test("finds work that outlives its scope by more than the grace, once a scope", .rule("7.2"))
    func outlived() throws {
        let shouted = try Identity(ada.name.uppercased())
        let found = FindingNotes {
            $0.strictness = [.outlivedScopes]
            $0.grace = .zero
        }
        let snapshot = withIdentityLevels(found.levels) {
            withIdentity(shouted, fileID: "App/Handler.swift", line: 12) { () -> IdentitySnapshot in
                let snapshot = IdentitySnapshot.capture()
                snapshot.restore {}
                #expect(found.all.isEmpty, "the scope is open")
                return snapshot
            }
        }
        snapshot.restore {}
        snapshot.restore {}
        let finding = try #require(found.all.first)
        #expect(found.all.count == 1)
        #expect(finding.kind == .outlivedScope)
        #expect(finding.identity?.name == shouted.name)
        #expect(finding.message.hasPrefix("work runs as \(shouted.name) "))
        #expect(finding.message.contains("after the end of the scope at App/Handler.swift:12 that bound it"))
    }

    @Test("does not report work that ends within the grace", .rule("7.2"))
    func withinGrace() {
        let found = FindingNotes { $0.strictness = [.outlivedScopes] }
        let snapshot = withIdentityLevels(found.levels) { withIdentity(ada) { IdentitySnapshot.capture() } }
        snapshot.restore {}
        #expect(found.levels.diagnostics.grace == .seconds(60))
        #expect(found.all.isEmpty)
    }

    @Test("reads back what was set, for its own levels alone", .rule("7.1"))
    func settings() {
        let diagnostics = FindingNotes { $0.strictness = [.reads, .outlivedScopes] }.levels.diagnostics
        let budget = HopBudget(hops: 3, age: .seconds(1), excess: .runsAsNobody)
        diagnostics.budget = budget
        diagnostics.watchesWorkers = true
        let others = IdentityLevels().diagnostics
        #expect(diagnostics.strictness == [.reads, .outlivedScopes] && others.strictness.isEmpty)
        #expect(diagnostics.budget == budget && others.budget == nil)
        #expect(diagnostics.watchesWorkers && !others.watchesWorkers)
        guard case (.report, .log) = (diagnostics.response, others.response) else {
            Issue.record("\(diagnostics.response) and \(others.response)")
            return
        }
    }

    @Test("stops the program if requested, with the finding as the message", .rule("7.1"))
    func trap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            IdentityDiagnostics.shared.strictness = [.requirements]
            IdentityDiagnostics.shared.response = .trap
            _ = try? Identity.required()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Identity.required() was called where no identity is bound"))
    }

    @Test("writes to standard error by default", .rule("7.1"))
    func log() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            IdentityDiagnostics.shared.strictness = [.reads]
            _ = Identity.current
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.hasPrefix("identity: Identity.current was read where no identity is bound"))
    }
}
