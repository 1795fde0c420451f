#if canImport(_FoundationICU) && compiler(>=6.3)
import Testing
import _FoundationICU  // from Swift 6.3 on, its functions begin with swift_ to avoid clashes with the system's ICU

/// The caseless form as ICU computes it, independently of our table: NFD, full folding without Turkic mappings, NFD.
struct ICUCaselessForm {
    /// The version of Unicode that ICU follows, as major << 8 | minor number.
    static let unicodeVersion: Int = {
        var version: [UInt8] = [0, 0, 0, 0]
        swift_u_getUnicodeVersion(&version)
        return Int(version[0]) << 8 | Int(version[1])
    }()

    private let decomposer: OpaquePointer
    // Reused for each name, so that every scalar can be checked within seconds.
    private var decomposed = [UInt16](repeating: 0, count: 4096)
    private var folded = [UInt16](repeating: 0, count: 4096)

    init() throws {
        var error = U_ZERO_ERROR
        let instance = swift_unorm2_getNFDInstance(&error)
        self.decomposer = try #require(instance, "ICU has no NFD")
    }

    /// Returns the UTF-16 code units of the form; both steps must fit into 4096 of them.
    mutating func of(_ name: String) throws -> ArraySlice<UInt16> {
        let name = Array(name.utf16)
        var error = U_ZERO_ERROR
        var length = swift_unorm2_normalize(
            self.decomposer,
            name,
            Int32(name.count),
            &self.decomposed,
            Int32(self.decomposed.count),
            &error
        )
        length = swift_u_strFoldCase(
            &self.folded,
            Int32(self.folded.count),
            self.decomposed,
            length,
            UInt32(U_FOLD_CASE_DEFAULT),
            &error
        )
        length = swift_unorm2_normalize(
            self.decomposer,
            self.folded,
            length,
            &self.decomposed,
            Int32(self.decomposed.count),
            &error
        )
        try #require(error.rawValue <= U_ZERO_ERROR.rawValue, "ICU failed with \(error)")
        return self.decomposed.prefix(Int(length))
    }

    /// Returns the version of Unicode that first assigned a scalar, as major << 8 | minor number; 0 if none has.
    static func age(of scalar: Unicode.Scalar) -> Int {
        var version: [UInt8] = [0, 0, 0, 0]
        swift_u_charAge(Int32(scalar.value), &version)
        return Int(version[0]) << 8 | Int(version[1])
    }
}
#endif
