/// An error of the job queue: what went wrong, with which value, and what to do.
public struct JobQueueError: Error, Hashable, Sendable {
    /// The code to match on.
    public let code: Code
    /// A sentence that says what went wrong.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind { case ownerless, notEnrolled, invalidJob, leaseLost, keyInUse }
        private let kind: Kind

        /// A job was enqueued where no identity is bound, and this queue takes no such jobs.
        public static let ownerless = Code(kind: .ownerless)
        /// A job was enqueued as somebody of whom there is no account.
        public static let notEnrolled = Code(kind: .notEnrolled)
        /// A job's kind, key, payload or number of attempts is out of bounds.
        public static let invalidJob = Code(kind: .invalidJob)
        /// The lease ran out while the job ran, and it is another worker's now.
        public static let leaseLost = Code(kind: .leaseLost)
        /// The same owner enqueued another job of that kind with this idempotency key.
        public static let keyInUse = Code(kind: .keyInUse)

        /// The code's name.
        public var description: String { "\(kind)" }
    }
}

extension JobQueueError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
