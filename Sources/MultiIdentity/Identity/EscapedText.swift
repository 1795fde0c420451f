/// The beginning of a text from outside, for a message: everything that could act on a terminal or a log is escaped.
package struct EscapedText: CustomStringConvertible, Sendable {
    package let description: String

    package init(_ text: String) {
        self.init(text.unicodeScalars) { Self.escaped($0) }
    }

    /// Creates an excerpt of prose: quotation marks and backslashes stay unchanged.
    package init(prose text: String, upTo limit: Int) {
        self.init(text.unicodeScalars, upTo: limit) { Self.escaped($0, inProse: true) }
    }

    /// - Parameter bytes: Not necessarily UTF-8: bytes that are not ASCII are shown as `\xHH`.
    package init(bytes: some Collection<UInt8>) {
        self.init(bytes) { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII ? Self.escaped(scalar) : "\\x" + Hexadecimal.text(of: [byte], areLarge: true)
        }
    }

    /// The text in quotation marks.
    package var quoted: String { "\"\(description)\"" }

    private init<Units: Collection>(_ units: Units, upTo limit: Int = 60, _ escaped: (Units.Element) -> String) {
        let shown = units.prefix(limit)
        description = shown.map(escaped).joined() + (shown.endIndex == units.endIndex ? "" : "…")
    }

    private static func escaped(_ scalar: Unicode.Scalar, inProse: Bool = false) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            scalar.escaped(asASCII: true)
        default: inProse ? String(scalar) : scalar.escaped(asASCII: false)
        }
    }
}
