/// A comparison that makes no sense: what is wrong with it, with which value, and what to do.
public struct BenchmarkingError: Error, Hashable, Sendable {
    /// The fault, for people.
    public let message: String

    init(_ message: String) { self.message = message }
}

extension BenchmarkingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
