/// Settings that a server cannot be started with: what is wrong, and what to do.
public struct SettingsError: Error, CustomStringConvertible {
    /// What is wrong, for people.
    public let description: String

    init(_ description: String) { self.description = description }
}
