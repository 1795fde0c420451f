import HTTPTypes

/// A file's name that a client chose: it can only lie in its tenant's folder.
struct FileName: Sendable {
    let text: String

    /// - Parameter text: The name.
    /// - Throws: ``Refusal``, where it has anything but 1 to 100 letters, digits, `.`, `_` and `-`, or begins with a dot.
    init(_ text: String) throws {
        let plain = text.utf8.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
        }
        guard plain, (1...100).contains(text.utf8.count), !text.hasPrefix(".") else {
            throw Refusal(
                .badRequest,
                code: "bad_file_name",
                "A file's name has 1 to 100 of A-Z, a-z, 0-9, ., _ and -, and does not begin with a dot."
            )
        }
        self.text = text
    }
}
