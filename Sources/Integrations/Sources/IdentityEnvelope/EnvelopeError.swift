#if Envelopes
/// An envelope that cannot be sealed, or is refused: what is wrong, and what to do.
///
/// It holds no key, and nothing of the content; what came from outside is shown by its length alone.
public struct EnvelopeError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code to match on; a later version can add some.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String = #function) { description = name }

        /// The bytes are no envelope.
        public static var malformed: Self { Self() }
        /// A later version sealed it.
        public static var futureVersion: Self { Self() }
        /// It was altered, or sealed for another machine.
        public static var tampered: Self { Self() }
        /// Its end is missing, or something stands behind it.
        public static var truncated: Self { Self() }
        /// Its claim of an owner is not believed; ``EnvelopeError/cause`` says why.
        public static var claimRefused: Self { Self() }
        /// A key is none.
        public static var unusableKey: Self { Self() }
        /// The label is too long.
        public static var labelTooLong: Self { Self() }
        /// It failed before, and takes no more.
        public static var finished: Self { Self() }
        /// The cryptographic library failed, or the signing.
        public static var sealingFailed: Self { Self() }
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let message: String
    /// The error of the claim, its verifier or its signing.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The code, the message, and the cause.
    public var description: String { "\(code): \(message)\(cause.map { " \($0)" } ?? "")" }
}

extension EnvelopeError {
    static func malformed(_ reason: String) -> EnvelopeError {
        EnvelopeError(.malformed, "This is no envelope: \(reason).")
    }

    static let tampered = EnvelopeError(
        .tampered,
        "The envelope is not what was sealed for this machine: it was altered, or is for another one or an earlier key."
    )

    static let truncated = EnvelopeError(
        .truncated,
        "The envelope does not end where it was sealed: it was cut off, or something stands behind it. Have it sent again."
    )

    static let finished = EnvelopeError(.finished, "It failed or ended before, and takes no more; begin a new one.")
}
#endif
