/// Text from outside as a message may show it: in quotation marks, cut, with whatever could act on a terminal escaped.
struct EscapedText: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        let scalars = text.unicodeScalars
        let shown = scalars.prefix(60).map { scalar -> String in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                scalar.escaped(asASCII: true)
            default: scalar.escaped(asASCII: false)
            }
        }
        description = "\"\(shown.joined())\(scalars.dropFirst(60).isEmpty ? "" : "…")\""
    }
}
