/// Text from outside as a message may show it: its start, with whatever could act on a terminal or a log escaped.
struct ShownText: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = text.unicodeScalars.prefix(40).map(Self.shown).joined()
    }

    /// - Parameter bytes: Not necessarily UTF-8: what is not ASCII is shown as `\xHH`.
    init(bytes: some Collection<UInt8>) {
        description = bytes.prefix(40).map { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII ? Self.shown(scalar) : "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            scalar.escaped(asASCII: true)
        default: scalar.escaped(asASCII: false)
        }
    }
}
