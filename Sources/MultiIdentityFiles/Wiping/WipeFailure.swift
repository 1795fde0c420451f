/// Something that a wipe did not remove, and why.
public struct WipeFailure: Error, Hashable, Codable, Sendable {
    /// The thing that is left: a path, or what else names it.
    public let subject: String
    /// The reason, and what to do, for people.
    public let reason: String

    /// Says what is left and why.
    public init(_ subject: String, because reason: String) {
        self.subject = subject
        self.reason = reason
    }
}

extension WipeFailure: CustomStringConvertible {
    /// `/data/a: permission denied`.
    public var description: String { "\(subject): \(reason)" }
}
