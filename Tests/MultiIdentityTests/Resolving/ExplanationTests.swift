import MultiIdentity
import MultiIdentityDiagnostics
import Testing

@Suite("An effective identity explains itself") struct ExplanationTests {
    private func effective(
        _ thread: Identity?,
        _ levels: IdentityLevels,
        for purpose: EffectiveIdentity.Purpose = .ui
    ) -> EffectiveIdentity {
        withIdentityLevels(levels) {
            withIdentity(thread, fileID: "Mail/Sending.swift", line: 12) { .current(for: purpose) }
        }
    }

    private func levels(process: Identity? = nil, ui: Identity? = nil, onMain: Bool = true) -> IdentityLevels {
        IdentityLevels(process: process, ui: ui, mainProbe: { onMain })
    }

    @Test("which level decided, and the roles of the others", .rule("2.5"))
    func parts() {
        let byThread = effective(ada, levels(process: grace, ui: grace)).explanation
        #expect(byThread.entries.map(\.level) == [.thread, .ui, .process])
        #expect(byThread.entries.map(\.part) == [.decided, .notAsked, .notAsked])
        #expect(byThread.entries.map(\.held) == [ada, nil, nil])
        #expect(byThread.identity == ada)
        #expect(byThread.purpose == .ui)
        #expect(effective(nil, levels(ui: ada)).explanation.entries.map(\.part) == [.unset, .decided, .notAsked])
        let offMain = effective(nil, levels(process: grace, ui: ada, onMain: false)).explanation
        #expect(offMain.entries.map(\.part) == [.unset, .notOnMain, .decided])
        let forFiles = effective(nil, levels(process: .nobody, ui: ada), for: .files).explanation
        #expect(forFiles.entries.map(\.part) == [.unset, .notForFiles, .decided])
        #expect(forFiles.identity == .nobody)
        #expect(effective(nil, levels()).explanation.entries.map(\.part) == [.unset, .unset, .unset])
    }

    @Test("a level without a role that has changed is shown too, and is no change", .rule("2.5"))
    func heldWithoutPart() {
        let entries = effective(ada, levels(process: .nobody, ui: grace)).explanation.entries
        #expect(entries.map(\.holdsNow) == [ada, grace, .nobody])
        #expect(entries.map(\.hasChanged) == [false, false, false])
    }

    @Test("a later change is marked, and the answer stays that of its moment", .rule("2.5"))
    func changes() {
        let own = levels(process: ada)
        let before = effective(nil, own)
        own.process = grace
        own.ui = .nobody
        let explanation = before.explanation
        #expect(explanation.identity == ada)
        #expect(explanation.entries.map(\.hasChanged) == [false, true, true])
        #expect(explanation.entries.map(\.held) == [nil, nil, ada])
        #expect(explanation.entries.map(\.holdsNow) == [nil, .nobody, grace])
        own.process = nil
        #expect(before.explanation.entries.last?.holdsNow == nil)
        #expect(before.explanation.entries.last?.hasChanged == true)
        own.process = ada
        own.ui = nil
        #expect(before.explanation.entries.map(\.hasChanged) == [false, false, false])
    }

    @Test("in sentences: nothing is set", .rule("2.4"))
    func sentencesForNothing() {
        #expect(
            effective(nil, levels()).explanation.description == """
                UI work is no one's: no level is set
                  thread   unset
                  UI       unset
                  process  unset
                """
        )
    }

    @Test("in sentences: the process level for files, and then changed")
    func sentencesForFiles() {
        let own = levels(process: ada, ui: grace)
        let answer = effective(nil, own, for: .files)
        #expect(
            "\(answer.explanation)" == """
                file work counts as ada@contoso.com
                  thread   unset
                  UI       does not count for files
                  process  ada@contoso.com <- decided
                """
        )
        own.process = nil
        #expect("\(answer.explanation)".hasSuffix("<- decided (changed since: now unset)"))
        own.process = .nobody
        #expect("\(answer.explanation)".hasSuffix("<- decided (changed since: now (nobody))"))
    }

    @Test("in sentences: nobody on main, and off main", .rule("2.4"))
    func sentencesForNobody() {
        #expect(
            "\(effective(nil, levels(process: ada, ui: .nobody)).explanation)" == """
                UI work is nobody's
                  thread   unset
                  UI       (nobody) <- decided
                  process  not asked
                """
        )
        #expect(
            "\(effective(nil, levels(process: .nobody, ui: ada, onMain: false)).explanation)" == """
                UI work is nobody's
                  thread   unset
                  UI       does not count: not on main
                  process  (nobody) <- decided
                """
        )
    }

    @Test(
        "the place of the thread level's binding is shown once sites are recorded, also on other threads",
        .rule("2.5")
    )
    func site() async { await ProcessWideSwitch.exclusively { await recordedSite() } }

    private func recordedSite() async {
        Explanation.recordsProvenance = true
        defer { Explanation.recordsProvenance = false }
        let here = withIdentity(ada) { EffectiveIdentity.current(for: .files) }.explanation
        #expect(here.site?.description == "MultiIdentityTests/ExplanationTests.swift:\(#line - 1)")
        let explanation = effective(ada, levels()).explanation
        #expect("\(explanation)".contains("  thread   ada@contoso.com <- decided, bound at Mail/Sending.swift:12\n"))
        #expect(explanation.site?.description == "Mail/Sending.swift:12")
        let snapshot = withIdentity(ada, fileID: "Mail/Sending.swift", line: 12) { IdentitySnapshot.capture() }
        let far = await onNewThread { snapshot.restore { EffectiveIdentity.current(for: .files).explanation } }
        #expect(far.site == explanation.site)
        let levels = levels(process: grace)
        let underLevels = withIdentity(ada, fileID: "Mail/Sending.swift", line: 12) {
            withIdentityLevels(levels) { EffectiveIdentity.current(for: .files).explanation }
        }
        #expect(underLevels.site == explanation.site, "levels of one's own are no binding of the thread level")
    }

    @Test("sites are recorded for scopes opened from then on, and not after", .rule("2.5"))
    func switching() async {
        await #expect(processExitsWith: .success) { ExplanationTests().switchedOnAndOff() }
    }

    // In its own process: strict mode and budgets record sites too, for the whole process.
    private func switchedOnAndOff() {
        let before = withIdentity(ada) { () -> Explanation in
            Explanation.recordsProvenance = true
            return EffectiveIdentity.current(for: .files).explanation
        }
        #expect(Explanation.recordsProvenance)
        Explanation.recordsProvenance = false
        #expect(!Explanation.recordsProvenance)
        #expect(before.site == nil)
        #expect("\(before)".contains("  thread   ada@contoso.com <- decided\n"))
        #expect(withIdentity(ada) { EffectiveIdentity.current(for: .files).explanation.site } == nil)
    }

    @Test("two answers are equal if identity, level and purpose are")
    func equality() throws {
        let one = effective(ada, levels())
        let other = effective(try Identity("ADA@contoso.com"), levels(process: grace))
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != effective(nil, levels(process: ada)))
        #expect(one != effective(ada, levels(), for: .files))
        #expect(one != effective(grace, levels()))
    }
}
