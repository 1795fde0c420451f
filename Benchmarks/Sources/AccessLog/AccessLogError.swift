/// A reason why an access log as a whole could not be read.
///
/// Single bad lines are ``MalformedLine``s instead.
public enum AccessLogError: Error, Hashable, Sendable {
    /// The file could not be opened; `code` is `errno` and `reason` its text.
    case unreadable(path: String, code: Int32, reason: String)

    /// The path is a directory's.
    case directory(path: String)

    /// The file holds no line at all.
    case empty(path: String)

    /// Reading failed after that many lines; `code` is `errno` and `reason` its text.
    case readFailed(path: String, afterLine: Int, code: Int32, reason: String)
}

extension AccessLogError: CustomStringConvertible {
    /// A sentence that says what was wrong, with which path, and what to do about it.
    public var description: String {
        // Reflecting quotes the path and keeps control characters in it off the terminal.
        switch self {
        case .unreadable(let path, _, let reason):
            "cannot open the access log \(String(reflecting: path)): \(reason); "
                + "check that the path is right and that you may read it"
        case .directory(let path):
            "the access log \(String(reflecting: path)) is a directory; name a file in it"
        case .empty(let path):
            "the access log \(String(reflecting: path)) is empty; give one with at least one request"
        case .readFailed(let path, let line, _, let reason):
            "reading the access log \(String(reflecting: path)) failed after line \(line): \(reason); "
                + "check the disk, or copy the file and read the copy"
        }
    }
}
