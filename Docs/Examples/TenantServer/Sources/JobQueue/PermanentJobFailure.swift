/// An error that a handler throws when trying again would not help: the job is put aside at once.
public struct PermanentJobFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason; it stands in the job's row.
    public let reason: String

    /// A failure for good.
    /// - Parameter reason: Why; it stands in the job's row.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
