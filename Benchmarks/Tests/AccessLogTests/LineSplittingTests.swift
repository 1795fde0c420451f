import AccessLog
import Testing

@Suite("A log is split into lines")
struct LineSplittingTests {
    private static let good = "::1 - ada [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5"

    private func isEntry(_ lines: [AccessLogLine]) -> [Bool] {
        lines.map { $0.entry?.user == "ada" }
    }

    @Test("A last line without a line feed is read like any other", arguments: ["\n", "\r\n"])
    func lineEnds(end: String) throws {
        #expect(try isEntry(TemporaryLog.lines(of: Self.good + end + Self.good)) == [true, true])
        #expect(try isEntry(TemporaryLog.lines(of: Self.good + end + Self.good + end)) == [true, true])
    }

    @Test("A blank line is malformed unless it is the last", arguments: ["\n", "\r\n"])
    func blankLines(end: String) throws {
        #expect(try isEntry(TemporaryLog.lines(of: Self.good + end + end)) == [true])
        #expect(try isEntry(TemporaryLog.lines(of: Self.good + end + end + end)) == [true, false])
        let lines = try TemporaryLog.lines(of: end + Self.good + end + end + Self.good)
        #expect(isEntry(lines) == [false, true, false, true])
        #expect(lines[0].reason == .blank)
        #expect(lines[2].reason == .blank)
    }

    @Test("A carriage return alone at the end is a blank last line")
    func lastCarriageReturn() throws {
        #expect(try isEntry(TemporaryLog.lines(of: Self.good + "\n\r")) == [true])
    }

    @Test("A carriage return ends no line by itself, and only one belongs to a line's end")
    func carriageReturns() throws {
        let inside = try TemporaryLog.lines(of: Self.good + "\r" + Self.good + "\n")
        #expect(inside.map(\.reason) == [.controlByte(13, offset: Self.good.utf8.count)])
        let twice = try TemporaryLog.lines(of: Self.good + "\r\r\n")
        #expect(twice.map(\.reason) == [.controlByte(13, offset: Self.good.utf8.count)])
    }

    @Test("A line of exactly the limit is read, one byte more is too long", arguments: ["", "\n", "\r\n"])
    func limit(end: String) throws {
        let limit = Self.good.utf8.count
        let exact = try TemporaryLog.lines(of: Array((Self.good + end).utf8), lineLimit: limit)
        #expect(isEntry(exact) == [true])
        let longer = try TemporaryLog.lines(of: Array((":" + Self.good + end).utf8), lineLimit: limit)
        #expect(longer.map(\.reason) == [.tooLong(limit: limit)])
    }

    @Test("The rest of a line that is too long is skipped", arguments: [1, 7, 64, 4096, 65_536])
    func tooLong(chunkSize: Int) throws {
        let long = Self.good + String(repeating: "x", count: 3 * AccessLogReader.lineLimit)
        let text = [Self.good, long, Self.good, long].joined(separator: "\n")
        let lines = try TemporaryLog.lines(of: Array(text.utf8), chunkSize: chunkSize)
        #expect(isEntry(lines) == [true, false, true, false])
        #expect(lines[1].reason == .tooLong(limit: 65_536))
    }

    @Test("A line that is too long because of carriage returns is one line")
    func longCarriageReturns() throws {
        let text = String(repeating: "\r", count: 200) + "\n" + Self.good
        let lines = try TemporaryLog.lines(of: Array(text.utf8), lineLimit: 100)
        #expect(lines.map(\.reason) == [.tooLong(limit: 100), nil])
    }

    @Test("Chunks of any size give the same lines", arguments: 1...70)
    func chunks(size: Int) throws {
        let text = Array([Self.good, "", "zoë\r", Self.good + "\r", "::1", Self.good].joined(separator: "\n").utf8)
        #expect(try TemporaryLog.lines(of: text, chunkSize: size) == TemporaryLog.lines(of: text))
    }
}
