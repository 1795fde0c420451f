/// Splits a file into lines, holding no more than one chunk and one line of limited length.
struct LineStream: ~Copyable {
    private let file: LogFile
    private let chunkSize: Int
    private let lineLimit: Int
    private var chunk: [UInt8] = []
    private var position = 0
    private(set) var lineCount = 0

    var path: String { file.path }

    init(file: consuming LogFile, chunkSize: Int, lineLimit: Int) {
        self.file = file
        self.chunkSize = max(chunkSize, 1)
        self.lineLimit = max(lineLimit, 1)
    }

    /// The next line, or `nil` at the end.
    ///
    /// A blank line at the very end is an editor's doing and not a line.
    mutating func next() throws(AccessLogError) -> RawLine? {
        guard try !isAtEnd() else { return nil }
        let line = try readLine()
        if line.bytes.isEmpty, !line.isTooLong, try isAtEnd() {
            return nil
        }
        lineCount += 1
        return line
    }

    private mutating func readLine() throws(AccessLogError) -> RawLine {
        var line = RawLine()
        while try !isAtEnd() {
            let end = chunk[position...].firstIndex(of: Ascii.lineFeed)
            append(chunk[position..<(end ?? chunk.endIndex)], to: &line)
            position = end.map { $0 + 1 } ?? chunk.endIndex
            if end != nil { break }
        }
        if !line.isTooLong, line.bytes.last == Ascii.carriageReturn {
            line.bytes.removeLast()
        }
        if line.bytes.count > lineLimit {
            line.isTooLong = true
        }
        return line
    }

    /// Keeps one byte more than the limit, because the last one may be the carriage return of the line's end.
    private func append(_ part: ArraySlice<UInt8>, to line: inout RawLine) {
        let room = lineLimit + 1 - line.bytes.count
        line.bytes.append(contentsOf: part.prefix(room))
        if part.count > room {
            line.isTooLong = true
        }
    }

    /// Returns true if no byte is left; reads the next chunk to find out.
    mutating func isAtEnd() throws(AccessLogError) -> Bool {
        if position == chunk.endIndex {
            position = 0
            try file.read(into: &chunk, size: chunkSize, afterLine: lineCount)
        }
        return chunk.isEmpty
    }
}
