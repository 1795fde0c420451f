/// A line of an access log that could not be read, and why.
public struct MalformedLine: Hashable, Sendable, CustomStringConvertible {
    /// The line's number in the log, counted from one.
    public let lineNumber: Int

    /// The reason why the line is malformed.
    public let reason: Reason

    /// Creates a report about one line.
    public init(lineNumber: Int, reason: Reason) {
        self.lineNumber = lineNumber
        self.reason = reason
    }

    /// The line's number and what is wrong with it, in one line of text.
    public var description: String {
        "line \(lineNumber): \(reason)"
    }
}
