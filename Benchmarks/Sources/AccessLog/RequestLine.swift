/// The request of a client, as far as its bytes are HTTP.
struct RequestLine {
    /// The method, or `nil` when the bytes are not an HTTP request.
    let method: String?

    /// The target's path, or `nil` when it has none.
    let path: String?

    private static let garbage = RequestLine(method: nil, path: nil)
    private static let longestMethod = 32

    private init(method: String?, path: String?) {
        self.method = method
        self.path = path
    }

    /// Reads a request from its bytes after decoding; what is not one has neither method nor path.
    static func parsed(from bytes: [UInt8]) throws(MalformedLine.Reason) -> RequestLine {
        guard let methodEnd = bytes.firstIndex(of: Ascii.space), isMethod(bytes[..<methodEnd]) else { return garbage }
        var target = bytes[(methodEnd + 1)...]
        if let targetEnd = target.lastIndex(of: Ascii.space), isVersion(target[(targetEnd + 1)...]) {
            target = target[..<targetEnd]
        } else if target.first != UInt8(ascii: "/") || target.contains(Ascii.space) {
            // Only HTTP/0.9 has no version, and it knows only plain paths.
            return garbage
        }
        guard let text = String(validating: target, as: UTF8.self) else { throw .decodedTextNotUTF8(.request) }
        return RequestLine(method: String(decoding: bytes[..<methodEnd], as: UTF8.self), path: path(of: text))
    }

    private static func isMethod(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, Ascii.isUppercase(first), text.count <= longestMethod else { return false }
        return text.allSatisfy { Ascii.isUppercase($0) || $0 == Ascii.hyphen || $0 == UInt8(ascii: "_") }
    }

    private static func isVersion(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: "HTTP/".utf8) else { return false }
        let numbers = text.dropFirst(5).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count <= 2 && numbers.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(Ascii.isDigit) }
    }

    private static func path(of target: String) -> String? {
        var rest = target.utf8[...]
        if rest.first != UInt8(ascii: "/") {
            // A proxy's client sends the whole address.
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) else {
                return nil
            }
            let authority = rest[colon...].dropFirst(3)
            rest = authority[(authority.firstIndex { "/?#".utf8.contains($0) } ?? authority.endIndex)...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.isEmpty ? "/" : String(Substring(path))
    }
}
