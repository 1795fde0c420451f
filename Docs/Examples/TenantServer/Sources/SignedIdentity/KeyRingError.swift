/// Keys that cannot be used: which one, and what to do.
public struct KeyRingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which key, and what to do; never the key itself.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
