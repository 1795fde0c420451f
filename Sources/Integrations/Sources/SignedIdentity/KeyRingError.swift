#if Signing
/// Keys that cannot be used: which one, and what to do.
public struct KeyRingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the key, and says what to do; never the key itself.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
#endif
