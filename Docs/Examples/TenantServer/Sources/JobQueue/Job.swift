/// A job that a worker has claimed: its row was read and its seal was checked.
public struct Job: Hashable, Sendable {
    /// Its id, which the queue made.
    public let id: String
    /// Which handler runs it.
    public let kind: String
    /// Names it among its owner's of this kind; what makes an effect idempotent.
    public let idempotencyKey: String
    /// What the handler needs.
    public let payload: [UInt8]
    /// Who enqueued it, and so as whom it runs.
    public let owner: JobOwner
    /// Which time this is that it was begun, from 1.
    public let attempt: Int
    /// How often it is begun before it is put aside.
    public let maximumAttempts: Int
}
