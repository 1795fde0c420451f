import AccessLog

/// The input is a user's bytes, and after the byte 0xFF a request's; they are written as nginx writes them.
///
/// The user of the line is read back, byte for byte, and the line is never taken for two.
enum Lines {
    static func check(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
        let user = Array(parts[0])
        let request = parts.count == 2 ? Array(parts[1]) : Array("GET / HTTP/1.1".utf8)
        guard let name = String(validating: user, as: UTF8.self), !name.isEmpty, name.utf8.count < 2_000,
            request.count < 4_000
        else { return false }
        let line =
            Array("::1 - ".utf8) + escaped(user) + Array(#" [10/Oct/2000:13:55:36 -0700] ""#.utf8) + escaped(request)
            + Array("\" 200 5\n".utf8)
        let found = TemporaryLog.lines(of: line, chunkSize: 1 + line.count % 97, lineLimit: 65_536)
        require(found.count == 1, "one line became \(found.count)")
        guard case .entry(let entry)? = found.first else {
            // What the format itself cannot tell from a field too many, and a request with a path that is not text.
            let isAmbiguous = name.hasPrefix("- ") || String(validating: request, as: UTF8.self) == nil
            require(isAmbiguous, "refused: \(found)")
            return true
        }
        if user == [UInt8(ascii: "-")] {
            require(entry.user == nil, "nobody became \(entry.user ?? "")")
        } else {
            require(entry.user.map { Array($0.utf8) } == user, "\(name) became \(entry.user ?? "nobody")")
        }
        require(entry.status == 200 && entry.bytes == 5, "status \(entry.status), \(entry.bytes ?? -1) bytes")
        return true
    }

    /// As nginx's default: a quote, a backslash, and what is below 0x20 or above 0x7E as \xXX.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { byte -> [UInt8] in
            let isPlain = 0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            let hexadecimal = [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            return isPlain ? [byte] : [UInt8(ascii: "\\"), UInt8(ascii: "x")] + hexadecimal
        }
    }
}
