/// Text from outside as a message may show it: its start, with all that could act on a terminal or a log escaped.
package struct EscapedText: CustomStringConvertible, Sendable {
    package let description: String

    package init(_ text: String) {
        self.init(text.unicodeScalars) { Self.escaped($0) }
    }

    /// - Parameter bytes: Not necessarily UTF-8: what is not ASCII is shown as `\xHH`.
    package init(bytes: some Collection<UInt8>) {
        self.init(bytes) { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII ? Self.escaped(scalar) : "\\x" + Hexadecimal.text(of: [byte], areLarge: true)
        }
    }

    /// The text in quotation marks.
    package var quoted: String { "\"\(description)\"" }

    private init<Units: Collection>(_ units: Units, _ escaped: (Units.Element) -> String) {
        let shown = units.prefix(60)
        description = shown.map(escaped).joined() + (shown.endIndex == units.endIndex ? "" : "…")
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            scalar.escaped(asASCII: true)
        default: scalar.escaped(asASCII: false)
        }
    }
}
