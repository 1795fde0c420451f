#if Envelopes
/// An envelope that cannot be sealed or is refused: what is wrong, and what to do.
///
/// It contains no key and no content; of outside data it shows only the length.
public struct EnvelopeError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code to match on; later versions can add some.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String = #function) { description = name }

        /// The bytes are not an envelope.
        public static var malformed: Self { Self() }
        /// A later version sealed it.
        public static var futureVersion: Self { Self() }
        /// It was altered, or sealed for another machine.
        public static var tampered: Self { Self() }
        /// Its end is missing, or bytes follow it.
        public static var truncated: Self { Self() }
        /// Its claim of an owner is not accepted; ``EnvelopeError/cause`` says why.
        public static var claimRefused: Self { Self() }
        /// A key is not valid.
        public static var unusableKey: Self { Self() }
        /// The label is too long.
        public static var labelTooLong: Self { Self() }
        /// The sealer or opener failed or ended before, and cannot be used again.
        public static var finished: Self { Self() }
        /// The cryptographic library or the signing failed.
        public static var sealingFailed: Self { Self() }
    }

    /// The kind of failure.
    public let code: Code
    /// A description to read.
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
        EnvelopeError(.malformed, "This is not an envelope: \(reason).")
    }

    static let tampered = EnvelopeError(
        .tampered,
        "The envelope was altered, or was sealed for another machine or an earlier key."
    )

    static let truncated = EnvelopeError(
        .truncated,
        "The envelope does not end where it was sealed: it was cut off, or bytes follow it. Have it sent again."
    )

    static let finished = EnvelopeError(.finished, "It failed or ended before; begin a new one.")
}
#endif
