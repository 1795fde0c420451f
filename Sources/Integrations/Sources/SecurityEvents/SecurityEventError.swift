#if SecurityEvents
/// A token of events that is refused: what is wrong with it, and what to do; nothing of what it says.
public struct SecurityEventError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; the raw value is the error code of RFC 8935.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The error code of RFC 8935.
        public let rawValue: String

        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is no token of events, or names no subject that is known.
        public static let invalidRequest = Code(rawValue: "invalid_request")
        /// No key that is known signed it so.
        public static let invalidKey = Code(rawValue: "invalid_key")
        /// It is of another issuer.
        public static let invalidIssuer = Code(rawValue: "invalid_issuer")
        /// It is for another receiver.
        public static let invalidAudience = Code(rawValue: "invalid_audience")
        /// It is too old, or from the future.
        public static let stale = Code(rawValue: "authentication_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
#endif
