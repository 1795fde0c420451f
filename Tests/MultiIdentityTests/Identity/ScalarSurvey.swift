#if canImport(_FoundationICU) && compiler(>=6.3)
import MultiIdentity

/// A survey of the form of every single Unicode scalar in our table and in ICU; made once for all tests.
struct ScalarSurvey {
    static let shared = Result { try ScalarSurvey() }

    /// Scalars that our version of Unicode assigns, and the number whose form differs from ICU's.
    private(set) var assigned: [Unicode.Scalar] = []
    private(set) var differing: [Unicode.Scalar] = []
    /// Scalars that no version known to ICU assigns.
    private(set) var unassigned = 0
    /// Scalars that a later version of Unicode than ours assigned, so that only ICU can fold or decompose them.
    private(set) var later = 0
    /// Scalars that our table does not know, whose form should be the scalar itself, but is not.
    private(set) var unknownButChanged: [Unicode.Scalar] = []

    private init() throws {
        let numbers = CaselessForm.unicodeVersion.split(separator: ".").compactMap { Int($0) }
        let version = numbers[0] << 8 | numbers[1]
        var icu = try ICUCaselessForm()
        for value in UInt32(0)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let name = String(scalar)
            let form = Array(CaselessForm.of(name).utf16)[...]
            switch ICUCaselessForm.age(of: scalar) {
            case 1...version:
                self.assigned.append(scalar)
                if try form != icu.of(name) { self.differing.append(scalar) }
            case let age:
                if age == 0 { self.unassigned += 1 } else { self.later += 1 }
                if form != Array(name.utf16)[...] { self.unknownButChanged.append(scalar) }
            }
        }
    }
}
#endif
