/// Settings that a server cannot be started with: what is wrong, and what to do.
public struct SettingsError: Error, CustomStringConvertible {
    /// A sentence that says what is wrong.
    public let description: String

    init(_ description: String) { self.description = description }
}
