import Foundation

/// Reads an access log in Common or Combined Log Format, a line at a time; a pipe does as well as a file.
final class AccessLogReader {
    /// The longest line that is read, in bytes without the line's end; longer ones are malformed.
    static let lineLimit = 65_536

    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private var lineCount = 0

    /// Opens the log at a path.
    ///
    /// - Throws: `AccessLogError` where it cannot be opened.
    init(path: String) throws(AccessLogError) {
        guard let file = fopen(path, "re") else {
            throw AccessLogError(path, "cannot be opened: \(Self.reason); check the path and that you may read it")
        }
        self.path = path
        self.file = file
    }

    deinit { fclose(file) }

    /// Returns the next line, or `nil` at the end.
    ///
    /// A blank line is malformed, except as the very last one.
    ///
    /// - Throws: `AccessLogError` where reading fails, or the log has no line.
    func next() throws(AccessLogError) -> AccessLogLine? {
        guard let line = try readLine() else {
            if lineCount == 0 { throw AccessLogError(path, "is empty; give one with at least one request") }
            return nil
        }
        lineCount += 1
        do throws(MalformedLine) {
            if line.count > Self.lineLimit { throw .tooLong }
            return .request(try LogLineParser.request(in: line), lineNumber: lineCount)
        } catch {
            return .malformed(error, lineNumber: lineCount)
        }
    }

    /// Reads to a line's end, and keeps no more of it than a byte beyond the limit, and a carriage return.
    private func readLine() throws(AccessLogError) -> [UInt8]? {
        var line: [UInt8] = []
        var next = getc_unlocked(file)
        while next != EOF, next != Int32(UInt8(ascii: "\n")) {
            if line.count < Self.lineLimit + 2 { line.append(UInt8(truncatingIfNeeded: next)) }
            next = getc_unlocked(file)
        }
        if ferror(file) != 0 {
            throw AccessLogError(path, "could not be read after line \(lineCount): \(Self.reason)")
        }
        if line.last == UInt8(ascii: "\r"), line.count < Self.lineLimit + 2 { line.removeLast() }
        // A blank line at the very end is an editor's doing and not a line.
        if line.isEmpty {
            let following = next == EOF ? EOF : getc_unlocked(file)
            if following == EOF { return nil }
            ungetc(following, file)
        }
        return line
    }

    private static var reason: String { strerror(errno).map { String(cString: $0) } ?? "error \(errno)" }
}

/// One line of an access log.
enum AccessLogLine: Equatable {
    case request(LoggedRequest, lineNumber: Int)
    case malformed(MalformedLine, lineNumber: Int)
}

/// The part of a logged request that a call is made of; the rest is read for its shape alone.
struct LoggedRequest: Equatable {
    /// The user with escapes decoded; `nil` when the log says `-`, which is nobody.
    ///
    /// Servers write this field before they check the password, so a 401 may name somebody who does not exist.
    let user: String?
    /// The path with escapes decoded, without query or fragment; `nil` where there is none, or the client sent no HTTP.
    let path: String?
}

/// A reason why an access log as a whole could not be read.
struct AccessLogError: Error, Equatable, CustomStringConvertible {
    let description: String

    // Reflecting quotes the path and keeps control characters in it off the terminal.
    init(_ path: String, _ problem: String) { description = "the access log \(String(reflecting: path)) \(problem)" }
}

/// A reason why a line of an access log is malformed.
enum MalformedLine: String, Error {
    case blank = "the line is blank"
    case tooLong = "the line is longer than 65,536 bytes"
    case controlByte = "a control byte stands unescaped, which servers never write"
    case notUTF8 = "the line, or a field of it once its escapes are decoded, is not UTF-8"
    case missingHost = "the line does not begin with a client's address"
    case missingIdentity = "the second field is missing"
    case missingUser = "the user is missing; nobody is written '-'"
    case extraField = "fields too many precede the user; cut off the virtual host, or what a collector put in front"
    case missingMoment = "no moment such as [10/Oct/2000:13:55:36 -0700] follows the user"
    case missingRequest = "no request in quotes, with a status and a size behind it, follows the moment"
    case unknownEscape = "a field has an escape that neither nginx nor Apache writes"
}
