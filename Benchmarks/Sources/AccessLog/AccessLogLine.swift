/// One line of an access log: an entry, or malformed.
public enum AccessLogLine: Hashable, Sendable {
    /// A line in Common or Combined Log Format.
    case entry(AccessLogEntry)

    /// A line that is neither, with the reason.
    case malformed(MalformedLine)

    /// The line's number in the log, counted from one.
    public var lineNumber: Int {
        switch self {
        case .entry(let entry): entry.lineNumber
        case .malformed(let line): line.lineNumber
        }
    }
}
