#if canImport(_FoundationICU) && compiler(>=6.3)
import MultiIdentity
import Testing

@Suite("Names are compared without case exactly as in ICU") struct CaselessFormICUTests {
    @Test("every scalar of our version of Unicode has the same form as in ICU", .rule("1.2"))
    func everyScalar() throws {
        let survey = try ScalarSurvey.shared.get()
        #expect(survey.differing == [])
        #expect(survey.unknownButChanged == [], "what our version does not assign stands for itself")
    }

    @Test("no scalar is left out except those that a version later than ours assigned")
    func scalarsLeftOut() throws {
        let survey = try ScalarSurvey.shared.get()
        // Unicode 15.0: 149,186 characters, 65 controls, 137,468 for private use, 66 noncharacters (DerivedAge.txt).
        try #require(CaselessForm.unicodeVersion == "15.0.0", "count anew for this version")
        #expect(survey.assigned.count == 149_186 + 65 + 137_468 + 66)
        #expect(survey.assigned.count + survey.unassigned + survey.later == 1_112_064)
        if ICUCaselessForm.unicodeVersion == 16 << 8 { #expect(survey.later == 627 + 5_185) }  // 15.1 and 16.0
    }

    @Test("the form of a form is itself, for every scalar")
    func idempotence() throws {
        let changing = try ScalarSurvey.shared.get().assigned.filter {
            let form = CaselessForm.of(String($0))
            return !form.unicodeScalars.elementsEqual(CollectionOfOne($0))  // otherwise it is already known
                && !CaselessForm.of(form).unicodeScalars.elementsEqual(form.unicodeScalars)
        }
        #expect(changing == [])
    }

    @Test("random names have the same form as in ICU", .rule("1.2"), arguments: [1, UInt64.random(in: .min ... .max)])
    func randomNames(seed: UInt64) throws {
        print("CaselessFormICUTests.randomNames: seed \(seed)")
        var names = RandomNames(seed: seed, among: try ScalarSurvey.shared.get().assigned)
        var icu = try ICUCaselessForm()
        for _ in 0..<20_000 {
            let name = names.next()
            let form = CaselessForm.of(name)
            let same = try form.utf16.elementsEqual(icu.of(name))
            let again = CaselessForm.of(form).utf16.elementsEqual(form.utf16)
            guard !same || !again else { continue }
            let scalars = name.unicodeScalars.map { String($0.value, radix: 16) }
            Issue.record("seed \(seed): \(scalars) \(same ? "changes when folded again" : "differs")")
            return
        }
    }
}
#endif
