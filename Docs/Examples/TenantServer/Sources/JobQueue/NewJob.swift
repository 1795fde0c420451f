/// A job to enqueue: what to do, not who it is for; that is the current identity where it is enqueued.
public struct NewJob: Hashable, Sendable {
    /// The handler that runs it: 1 to 128 printable ASCII characters.
    public var kind: String
    /// Names the job among its owner's of this kind, 1 to 128 printable ASCII characters: a second one with this key is
    /// the first.
    public var idempotencyKey: String
    /// The data for the handler; at most a megabyte.
    public var payload: [UInt8]
    /// The number of times that it is begun before it is put aside.
    public var maximumAttempts: Int
    /// The time after enqueuing from which it may begin.
    public var delay: Duration

    /// A job to enqueue.
    ///
    /// - Parameters:
    ///   - kind: Which handler runs it: 1 to 128 printable ASCII characters.
    ///   - idempotencyKey: Names it among its owner's of this kind: 1 to 128 printable ASCII characters.
    ///   - payload: What the handler needs; at most a megabyte.
    ///   - maximumAttempts: How often it is begun before it is put aside: 1 to 1,000.
    ///   - delay: How long after enqueuing it may begin; not negative.
    public init(
        _ kind: String,
        idempotencyKey: String,
        payload: [UInt8] = [],
        maximumAttempts: Int = 8,
        delay: Duration = .zero
    ) {
        self.kind = kind
        self.idempotencyKey = idempotencyKey
        self.payload = payload
        self.maximumAttempts = maximumAttempts
        self.delay = delay
    }

    func validate() throws(JobQueueError) {
        try Self.validate(kind, of: "kind")
        try Self.validate(idempotencyKey, of: "idempotency key")
        guard payload.count <= 1 << 20 else {
            throw JobQueueError(
                .invalidJob,
                "A payload of \(payload.count) bytes; at most \(1 << 20) are taken. Store it elsewhere and enqueue where."
            )
        }
        guard 1...1_000 ~= maximumAttempts else {
            throw JobQueueError(.invalidJob, "\(maximumAttempts) attempts; 1 to 1,000 are possible.")
        }
        guard delay >= .zero, delay <= .seconds(400 * 86_400) else {
            throw JobQueueError(.invalidJob, "A delay of \(delay); zero to 400 days is possible.")
        }
    }

    private static func validate(_ text: String, of what: String) throws(JobQueueError) {
        guard 1...128 ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw JobQueueError(
                .invalidJob,
                "The \(what) \(text.prefix(160).debugDescription) is not 1 to 128 printable ASCII characters."
            )
        }
    }
}
