import AccessLog

/// The input is a whole log; its first two bytes say how it is read: the size of a chunk, and the limit of a line.
///
/// Each line gives one result, entries and malformed ones add up, and chunks make no difference.
enum Logs {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        let limit = 1 + Int(bytes[1]) * 4
        let log = Array(bytes.dropFirst(2))
        let found = TemporaryLog.lines(of: log, chunkSize: 1 + Int(bytes[0]), lineLimit: limit)
        require(found.count == lineCount(log), "\(lineCount(log)) lines became \(found.count)")
        require(
            found == TemporaryLog.lines(of: log, chunkSize: 65_536, lineLimit: limit),
            "chunks of \(1 + Int(bytes[0])) make a difference"
        )
        for case .entry(let entry) in found {
            require(100...599 ~= entry.status && entry.bytes ?? 0 >= 0, "\(entry)")
            require(entry.user != "", "a user without a name")
            require(entry.path.map { $0.hasPrefix("/") } ?? true || entry.path == "*", "the path \(entry.path ?? "")")
        }
        return true
    }

    /// Counts as the format defines lines, and not the way the reader finds them.
    private static func lineCount(_ bytes: [UInt8]) -> Int {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        if let last = lines.last, last.isEmpty || last == [0x0D] { lines.removeLast() }
        return lines.count
    }
}
