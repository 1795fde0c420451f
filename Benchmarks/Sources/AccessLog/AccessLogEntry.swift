/// One request of an access log: who asked, for what, and how it was answered.
///
/// The client's address, the moment, the referer and the agent are checked for their shape and left out.
public struct AccessLogEntry: Hashable, Sendable {
    /// The line's number in the log, counted from one.
    public let lineNumber: Int

    /// The authenticated user with escapes decoded; `nil` when the log says `-`, which is nobody.
    ///
    /// Servers write this field before they check the password, so a 401 may name somebody who does not exist.
    public let user: String?

    /// The request's method; `nil` when the client did not send an HTTP request.
    public let method: String?

    /// The path with escapes decoded, without query or fragment and with its percent-encoding untouched.
    ///
    /// It is `nil` when the client did not send an HTTP request, or sent one without a path, such as `OPTIONS *`.
    public let path: String?

    /// The status of the answer, from 100 to 599.
    public let status: Int

    /// The size of the answer's body; `nil` when the log says `-`.
    public let bytes: Int?

    /// Creates an entry from its fields.
    public init(lineNumber: Int, user: String?, method: String?, path: String?, status: Int, bytes: Int?) {
        self.lineNumber = lineNumber
        self.user = user
        self.method = method
        self.path = path
        self.status = status
        self.bytes = bytes
    }
}
