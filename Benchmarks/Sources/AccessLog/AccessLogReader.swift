/// Reads an access log in Common or Combined Log Format, one line at a time.
///
/// Memory stays bounded whatever the log's size and whatever the length of its lines, and a pipe does as well as a
/// file. The file is closed when the reader goes out of scope.
///
/// ```swift
/// var reader = try AccessLogReader(path: "access.log")
/// while let line = try reader.next() {
///     switch line {
///     case .entry(let entry): requests.append(Request(entry))
///     case .malformed(let line): print(line)
///     }
/// }
/// ```
public struct AccessLogReader: ~Copyable, Sendable {
    /// The longest line that is read, in bytes without the line's end; longer ones are malformed.
    public static let lineLimit = 65_536

    /// The number of entries read so far.
    public private(set) var entryCount = 0

    /// The number of malformed lines met so far.
    public private(set) var malformedCount = 0

    private var lines: LineStream
    private let limit: Int
    private var isFinished = false

    /// Opens the log at a path and reads its beginning.
    ///
    /// - Throws: ``AccessLogError`` when it cannot be read, is a directory or is empty.
    public init(path: String) throws(AccessLogError) {
        try self.init(path: path, chunkSize: 65_536, lineLimit: Self.lineLimit)
    }

    /// Opens the log with sizes small enough for a test to reach their edges.
    package init(path: String, chunkSize: Int, lineLimit: Int) throws(AccessLogError) {
        let file = try LogFile(path: path)
        var lines = LineStream(file: file, chunkSize: chunkSize, lineLimit: lineLimit)
        if try lines.isAtEnd() {
            throw .empty(path: path)
        }
        self.lines = lines
        limit = lineLimit
    }

    /// The next line, or `nil` at the end of the log and after an error.
    ///
    /// A last line need not end with a line feed. A blank line is malformed, except as the very last one.
    ///
    /// - Throws: ``AccessLogError`` when reading fails, or when the whole log turns out to be one blank line.
    public mutating func next() throws(AccessLogError) -> AccessLogLine? {
        guard !isFinished else { return nil }
        do {
            if let line = try lines.next() {
                return parsed(line)
            }
        } catch {
            isFinished = true
            throw error
        }
        isFinished = true
        if lines.lineCount == 0 {
            throw .empty(path: lines.path)
        }
        return nil
    }

    private mutating func parsed(_ line: RawLine) -> AccessLogLine {
        let number = lines.lineCount
        do throws(MalformedLine.Reason) {
            guard !line.isTooLong else { throw .tooLong(limit: limit) }
            let entry = try LineParser.entry(from: line.bytes, lineNumber: number)
            entryCount += 1
            return .entry(entry)
        } catch {
            malformedCount += 1
            return .malformed(MalformedLine(lineNumber: number, reason: error))
        }
    }
}
