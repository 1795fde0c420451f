import AccessLog
import Foundation

/// A log that exists on disk for as long as a test reads it.
enum TemporaryLog {
    static func withPath<Result>(of bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString).log")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }

    /// Reads these bytes, and checks that the numbers and counts add up.
    static func lines(
        of bytes: [UInt8],
        chunkSize: Int = 65_536,
        lineLimit: Int = AccessLogReader.lineLimit
    ) throws -> [AccessLogLine] {
        try withPath(of: bytes) { path in
            try lines(at: path, chunkSize: chunkSize, lineLimit: lineLimit)
        }
    }

    static func lines(of text: String) throws -> [AccessLogLine] {
        try lines(of: Array(text.utf8))
    }

    static func lines(
        at path: String,
        chunkSize: Int = 65_536,
        lineLimit: Int = AccessLogReader.lineLimit
    ) throws -> [AccessLogLine] {
        var reader = try AccessLogReader(path: path, chunkSize: chunkSize, lineLimit: lineLimit)
        var lines: [AccessLogLine] = []
        while let line = try reader.next() {
            lines.append(line)
        }
        guard reader.entryCount + reader.malformedCount == lines.count,
            lines.map(\.lineNumber) == Array(1..<lines.count + 1)
        else {
            throw Miscount()
        }
        return lines
    }

    struct Miscount: Error {}
}
