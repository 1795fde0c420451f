/// A job that a worker has claimed: its row was read and its seal was checked.
public struct Job: Hashable, Sendable {
    /// Its id, which the queue made.
    public let id: String
    /// The handler that runs it.
    public let kind: String
    /// Names it among its owner's of this kind; what makes an effect idempotent.
    public let idempotencyKey: String
    /// The data for the handler.
    public let payload: [UInt8]
    /// The owner that enqueued it, and that it runs as.
    public let owner: JobOwner
    /// The number of times that it was begun, this one included.
    public let attempt: Int
    /// The number of times that it is begun before it is put aside.
    public let maximumAttempts: Int
}
