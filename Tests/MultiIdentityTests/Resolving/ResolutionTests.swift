import MultiIdentity
import Testing

@Suite("The first level that is set decides") struct ResolutionTests {
    /// One row of the public table, in its words: the value of each level, and then the decision, "who@level".
    ///
    /// A, B and C are named identities, `-` is unset, `*` is anything.
    struct Row: Sendable {
        let (thread, ui, process): (String, String, String)
        let (uiOnMain, uiElsewhere, files): (String, String, String)

        init(_ levels: (String, String, String), _ outcome: (String, String, String)) {
            (self.thread, self.ui, self.process) = levels
            (self.uiOnMain, self.uiElsewhere, self.files) = outcome
        }
    }

    static let table = [
        Row(("A", "*", "*"), ("A@thread", "A@thread", "A@thread")),
        Row(("nobody", "*", "*"), ("nobody@thread", "nobody@thread", "nobody@thread")),
        Row(("-", "B", "C"), ("B@ui", "C@process", "C@process")),
        Row(("-", "B", "-"), ("B@ui", "none", "none")),
        Row(("-", "B", "nobody"), ("B@ui", "nobody@process", "nobody@process")),
        Row(("-", "nobody", "C"), ("nobody@ui", "C@process", "C@process")),
        Row(("-", "nobody", "-"), ("nobody@ui", "none", "none")),
        Row(("-", "nobody", "nobody"), ("nobody@ui", "nobody@process", "nobody@process")),
        Row(("-", "-", "C"), ("C@process", "C@process", "C@process")),
        Row(("-", "-", "nobody"), ("nobody@process", "nobody@process", "nobody@process")),
        Row(("-", "-", "-"), ("none", "none", "none")),
    ]

    /// One combination of the levels' values, the place of the work, and its purpose.
    struct Situation: Sendable, CustomTestStringConvertible {
        let (thread, ui, process): (String, String, String)
        let onMain: Bool
        let purpose: EffectiveIdentity.Purpose

        /// Every possible combination: 3 × 3 × 3 × 2 × 2.
        static let all: [Situation] = ["A", "nobody", "-"].flatMap { thread in
            ["B", "nobody", "-"].flatMap { ui in
                ["C", "nobody", "-"].flatMap { process in
                    [true, false].flatMap { onMain in
                        EffectiveIdentity.Purpose.allCases.map {
                            Situation(thread: thread, ui: ui, process: process, onMain: onMain, purpose: $0)
                        }
                    }
                }
            }
        }

        /// The rows of the table that match this situation.
        var rows: [Row] {
            table.filter { row in
                zip([row.thread, row.ui, row.process], [thread, ui, process]).allSatisfy { $0 == "*" || $0 == $1 }
            }
        }

        func outcome(in row: Row) -> String {
            if purpose == .files { row.files } else if onMain { row.uiOnMain } else { row.uiElsewhere }
        }

        func identity(_ cell: String) throws -> Identity? {
            switch cell {
            case "-": nil
            case "nobody": .nobody
            default: try Identity(cell)
            }
        }

        var testDescription: String {
            "thread \(thread), UI \(ui), process \(process), \(onMain ? "on main" : "elsewhere"), for \(purpose)"
        }
    }

    private struct Values: LevelValues {
        let (thread, ui, process): (Identity?, Identity?, Identity?)
        let isOnMain: Bool
    }

    /// Returns an outcome in the table's words.
    static func said(_ identity: Identity?, _ level: EffectiveIdentity.Level?) -> String {
        switch (identity, level) {
        case (nil, nil): "none"
        case (.some(let identity), .some(let level)): "\(identity.isNobody ? "nobody" : identity.name)@\(level)"
        default: "an identity without a level, or a level without an identity"
        }
    }

    @Test("there are 108 situations, and one row for each", .rule("2.2"))
    func complete() {
        #expect(Situation.all.count == 108)
        for situation in Situation.all { #expect(situation.rows.count == 1) }
    }

    @Test("by pure resolution", .rule("2.2", "2.4"), arguments: Situation.all)
    func pure(_ situation: Situation) throws {
        let values = Values(
            thread: try situation.identity(situation.thread),
            ui: try situation.identity(situation.ui),
            process: try situation.identity(situation.process),
            isOnMain: situation.onMain
        )
        let resolution = Resolution.resolve(for: situation.purpose, from: values)
        let row = try #require(situation.rows.first)
        #expect(Self.said(resolution.identity, resolution.level) == situation.outcome(in: row))
    }

    @Test(
        "by bindings, under custom levels and a custom main",
        .rule("2.2"),
        .guide("process, UI and thread level"),
        arguments: Situation.all
    )
    func bound(_ situation: Situation) throws {
        let levels = IdentityLevels(
            process: try situation.identity(situation.process),
            ui: try situation.identity(situation.ui),
            mainProbe: { situation.onMain }
        )
        let thread = try situation.identity(situation.thread)
        let effective = withIdentityLevels(levels) {
            withIdentity(thread) { EffectiveIdentity.current(for: situation.purpose) }
        }
        let row = try #require(situation.rows.first)
        #expect(Self.said(effective.identity, effective.level) == situation.outcome(in: row))
        #expect(effective.purpose == situation.purpose)
    }

    @Test("and later levels, or one that does not count, are not read", .rule("2.2"))
    func laziness() throws {
        struct Asked: LevelValues {
            let notes = Notes<String>()
            let ada: Identity?
            var thread: Identity? { note("thread", ada) }
            var ui: Identity? { note("ui", nil) }
            var process: Identity? { note("process", nil) }
            var isOnMain: Bool { note("main", false) }
            func note<Value>(_ name: String, _ value: Value) -> Value {
                notes.add(name)
                return value
            }
        }
        let decided = Asked(ada: try Identity("ada@contoso.com"))
        _ = Resolution.resolve(for: .ui, from: decided)
        #expect(decided.notes.all == ["thread"])
        let forFiles = Asked(ada: nil)
        _ = Resolution.resolve(for: .files, from: forFiles)
        #expect(forFiles.notes.all == ["thread", "process"])
        let elsewhere = Asked(ada: nil)
        _ = Resolution.resolve(for: .ui, from: elsewhere)
        #expect(elsewhere.notes.all == ["thread", "main", "process"])
    }
}
