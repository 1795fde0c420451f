import MultiIdentity
import Testing

@testable import ScheduleExploring

@Suite("The model of the rules") struct RuleModelTests {
    /// A row of the table of the rules: A, B and C are the first three identities.
    struct Row: Sendable {
        let thread, ui, process, uiOnMain, uiElsewhere, files: HeldIdentity
    }

    private static let (a, b, c) = (HeldIdentity.named(1), HeldIdentity.named(2), HeldIdentity.named(3))

    static let table: [Row] = [
        Row(thread: a, ui: b, process: c, uiOnMain: a, uiElsewhere: a, files: a),
        Row(thread: .nobody, ui: b, process: c, uiOnMain: .nobody, uiElsewhere: .nobody, files: .nobody),
        Row(thread: .unset, ui: b, process: c, uiOnMain: b, uiElsewhere: c, files: c),
        Row(thread: .unset, ui: b, process: .unset, uiOnMain: b, uiElsewhere: .unset, files: .unset),
        Row(thread: .unset, ui: b, process: .nobody, uiOnMain: b, uiElsewhere: .nobody, files: .nobody),
        Row(thread: .unset, ui: .nobody, process: c, uiOnMain: .nobody, uiElsewhere: c, files: c),
        Row(thread: .unset, ui: .nobody, process: .unset, uiOnMain: .nobody, uiElsewhere: .unset, files: .unset),
        Row(thread: .unset, ui: .nobody, process: .nobody, uiOnMain: .nobody, uiElsewhere: .nobody, files: .nobody),
        Row(thread: .unset, ui: .unset, process: c, uiOnMain: c, uiElsewhere: c, files: c),
        Row(thread: .unset, ui: .unset, process: .nobody, uiOnMain: .nobody, uiElsewhere: .nobody, files: .nobody),
        Row(thread: .unset, ui: .unset, process: .unset, uiOnMain: .unset, uiElsewhere: .unset, files: .unset),
    ]

    @Test("has the table of the rules, row by row", arguments: table)
    func hasTheTable(_ row: Row) {
        func identity(_ purpose: EffectiveIdentity.Purpose, onMain: Bool) -> HeldIdentity {
            LevelRule.answer(thread: row.thread, ui: row.ui, process: row.process, for: purpose, onMain: onMain)
                .identity
        }
        #expect(identity(.ui, onMain: true) == row.uiOnMain)
        #expect(identity(.ui, onMain: false) == row.uiElsewhere)
        #expect(identity(.files, onMain: true) == row.files)
        #expect(identity(.files, onMain: false) == row.files)
    }

    @Test(
        "agrees with the resolver in every combination",
        arguments: EffectiveIdentity.Purpose.allCases,
        [true, false]
    )
    func agrees(_ purpose: EffectiveIdentity.Purpose, _ onMain: Bool) {
        let identities = ScheduleExplorer.defaultIdentities
        let all: [HeldIdentity] = [.unset, .nobody, .named(1), .named(2), .named(3)]
        var combinations = 0
        for thread in all {
            for ui in all {
                for process in all {
                    combinations += 1
                    let model = LevelRule.answer(thread: thread, ui: ui, process: process, for: purpose, onMain: onMain)
                    let levels = IdentityLevels(
                        process: process.identity(among: identities),
                        ui: ui.identity(among: identities),
                        mainProbe: MainProbe { onMain }
                    )
                    let resolved = withIdentityLevels(levels) {
                        withIdentity(thread.identity(among: identities)) { EffectiveIdentity.current(for: purpose) }
                    }
                    #expect(model.identity == HeldIdentity(resolved.identity, among: identities))
                    #expect(model.level == resolved.level)
                }
            }
        }
        #expect(combinations == 125)
    }

    @Test("changes nothing by a step that cannot be taken")
    func refuses() throws {
        let impossible = [
            "t1 return", "q1 run", "t1 process #1", "t1 call w1", "t1 leave", "w1 suspend", "t1 resume w1",
            "t1 drop w1",
            "t1 dispatch w1 q1", "t9 bind #1", "t1 over nowhere w1", "q1 bind #1", "t1 cancelled",
        ]
        for text in impossible {
            var model = RuleModel(threads: 2)
            let step = try #require(Schedule(parsing: text).steps.first)
            #expect(model.take(step) == nil, "\(text)")
            #expect(model.works.isEmpty && model.levels.isEmpty, "\(text)")
        }
    }

    @Test("comes to an end after any schedule: nothing open, pending or kept", arguments: 0..<50 as Range<UInt64>)
    func settles(_ seed: UInt64) throws {
        let explorer = ScheduleExplorer(seed: seed, steps: 100)
        var model = explorer.setup.model
        for step in try explorer.schedule().steps { #expect(model.take(step) != nil) }
        var steps = 0
        while let step = model.settlingStep, steps < 1_000 {
            #expect(model.take(step) != nil, "\(step)")
            steps += 1
        }
        #expect(model.settlingStep == nil)
        #expect(model.workers.values.allSatisfy { $0.frames.count == 1 && $0.pace == .atRest })
        #expect(model.pending.allSatisfy { $0.isEmpty })
        #expect(model.groupCount == 0)
    }
}
