import MultiIdentity

/// Texts of JSON that the package writes.
package enum JSONText {
    /// A string, cut off behind so many bytes, between characters.
    package static func quoted(_ string: String, _ limit: Int = .max) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "\"")]
        var count = 0
        for scalar in string.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            count += bytes.count
            if count > limit {
                text += "…".utf8
                break
            }
            switch scalar {
            case "\"", "\\": text += [UInt8(ascii: "\\"), bytes[0]]
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                // Characters that some readers take for line ends, or that control terminals.
                text += "\\u".utf8
                let value = UInt16(scalar.value)
                text += Hexadecimal.text(of: [UInt8(value >> 8), UInt8(value & 0xFF)]).utf8
            default: text += bytes
            }
        }
        return text + [UInt8(ascii: "\"")]
    }
}
