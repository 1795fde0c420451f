import MultiIdentity
import Testing

@testable import IdentityStress

@Suite("The model of what work counts as") struct ExpectedIdentityModel {
    struct Row: Sendable, CustomTestStringConvertible {
        let thread: String?
        let ui: String?
        let process: String?
        let uiOnMain: String?
        let uiElsewhere: String?
        let files: String?

        init(_ cells: String) {
            let cells = cells.split(separator: " ").map { $0 == "-" ? nil : String($0) }
            thread = cells[0]
            ui = cells[1]
            process = cells[2]
            uiOnMain = cells[3]
            uiElsewhere = cells[4]
            files = cells[5]
        }

        var testDescription: String { [thread, ui, process].map { $0 ?? "-" }.joined(separator: " ") }
    }

    /// The truth table of the rules: thread, UI, process; UI work on main, UI work elsewhere, file work.
    ///
    /// `-` is unset, or none; 0 is nobody.
    static let table = [
        "a b c a a a", "a - - a a a", "a 0 0 a a a",
        "0 b c 0 0 0", "0 - - 0 0 0",
        "- b c b c c", "- b - b - -", "- b 0 b 0 0",
        "- 0 c 0 c c", "- 0 - 0 - -", "- 0 0 0 0 0",
        "- - c c c c", "- - 0 0 0 0", "- - - - - -",
    ].map { Row($0) }

    private func identity(_ cell: String?) throws -> Identity? {
        guard let cell else { return nil }
        return cell == "0" ? .nobody : try Identity(cell)
    }

    @Test("is the truth table", arguments: table) func isTheTruthTable(_ row: Row) throws {
        let thread = try identity(row.thread)
        let expected = try Expectation(
            thread: thread,
            twin: thread,
            ui: identity(row.ui),
            process: identity(row.process)
        )
        #expect(try expected.uiOnMain == identity(row.uiOnMain))
        #expect(try expected.uiElsewhere == identity(row.uiElsewhere))
        #expect(try expected.files == identity(row.files))
    }

    @Test("agrees with the library", arguments: table, [true, false]) func agrees(_ row: Row, _ isOnMain: Bool) throws {
        let thread = try identity(row.thread)
        let ui = try identity(row.ui)
        let process = try identity(row.process)
        let levels = IdentityLevels(process: process, ui: ui, mainProbe: MainProbe { isOnMain })
        let expected = Expectation(thread: thread, twin: thread, ui: ui, process: process)
        let difference = withIdentityLevels(levels) {
            withIdentity(thread) { expected.mismatch(isOnMain: isOnMain) }
        }
        #expect(difference == nil)
    }

    @Test("sees another identity, a lost one, one too many and another spelling") func seesDifferences() throws {
        let ada = try Identity("ada@contoso.com")
        let expected = Expectation(thread: ada, twin: ada, ui: nil, process: nil)
        for other in try [Identity("bob@contoso.com"), nil, .nobody, Identity("ADA@contoso.com")] {
            let difference = withIdentity(other) { expected.mismatch(isOnMain: false) }
            #expect(difference?.kind == .thread)
        }
        let nothing = Expectation(thread: nil, twin: nil, ui: nil, process: nil)
        #expect(withIdentity(ada) { nothing.mismatch(isOnMain: false) } != nil)
    }

    @Test("sees levels that came along, or did not") func seesLevels() throws {
        let process = try Identity("process@contoso.com")
        let expected = Expectation(thread: nil, twin: nil, ui: nil, process: process)
        #expect(withIdentityLevels(process: nil, ui: nil) { expected.mismatch(isOnMain: false) }?.kind == .files)
        #expect(withIdentityLevels(process: process, ui: nil) { expected.mismatch(isOnMain: false) } == nil)
    }
}
