import MultiIdentity
import Testing

@testable import IdentityStress

@Suite("The model of effective identities") struct ExpectedIdentityModel {
    private static let values: [Identity?] = [try? Identity("a"), try? Identity("b"), .nobody, nil]

    /// Each combination of thread, UI and process levels.
    static let settings = values.flatMap { thread in values.flatMap { ui in values.map { [thread, ui, $0] } } }

    /// `ResolutionTests` of the library has the truth table.
    @Test("agrees with the library", arguments: settings, [true, false])
    func agrees(_ setting: [Identity?], _ isOnMain: Bool) {
        let (thread, ui, process) = (setting[0], setting[1], setting[2])
        let levels = IdentityLevels(process: process, ui: ui, mainProbe: { isOnMain })
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

    @Test("sees levels that travelled, or did not") func seesLevels() throws {
        let process = try Identity("process@contoso.com")
        let expected = Expectation(thread: nil, twin: nil, ui: nil, process: process)
        #expect(withIdentityLevels(process: nil, ui: nil) { expected.mismatch(isOnMain: false) }?.kind == .files)
        #expect(withIdentityLevels(process: process, ui: nil) { expected.mismatch(isOnMain: false) } == nil)
    }
}
