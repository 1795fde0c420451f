import MultiIdentity

/// The configuration of one account: parts, each a dictionary of the program's keys and values.
///
/// ```swift
/// let configuration = registry.configuration(of: .current)
/// let theme = try configuration.string("theme") ?? "light"
/// let limit = try configuration.integer("uploads", .min)
/// let mayShare = try configuration.boolean("share", .and) ?? false
/// ```
///
/// Values targeted at the account override values for everyone under the same key. If the values in force differ, each
/// call chooses one, and ``hasConflict(on:)`` reports the conflict.
public struct AppConfiguration: Hashable, Sendable {
    /// The accounts that a part of a configuration is for.
    public enum Audience: String, Hashable, Sendable, CaseIterable {
        /// The part is for this account, or for a group that contains it.
        case targeted
        /// The part is for everyone, and counts if nothing is targeted.
        case standard
    }

    /// One dictionary of a configuration, as an administrator made it.
    public struct Part: Hashable, Sendable {
        /// The administrator's name for the part; empty if it has none.
        public let name: String
        /// The accounts that the part is for.
        public let audience: Audience
        /// The values.
        public let values: [String: AppConfigurationValue]

        /// Creates a part of a configuration.
        ///
        /// - Parameters:
        ///   - values: The values.
        ///   - audience: The accounts that the part is for.
        ///   - name: The administrator's name for the part.
        public init(
            _ values: [String: AppConfigurationValue],
            for audience: Audience = .targeted,
            named name: String = ""
        ) {
            self.values = values
            self.audience = audience
            self.name = name
        }
    }

    /// A value with its source.
    public struct Setting: Hashable, Sendable {
        /// The value.
        public let value: AppConfigurationValue
        /// The name of the part that contains the value.
        public let part: String
        /// The accounts that the part is for.
        public let audience: Audience
        /// Indicates whether the value is in force: a targeted value overrides standard ones.
        public let isInForce: Bool
    }

    /// The parts, in the order of the service.
    public let parts: [Part]

    /// Creates a configuration from its parts.
    ///
    /// - Parameter parts: The parts, in the order of the service.
    public init(_ parts: [Part] = []) { self.parts = parts }

    /// All keys, sorted.
    public var keys: [String] { Set(parts.flatMap(\.values.keys)).sorted() }

    /// Returns all values of a key with their sources, in force or not, in the order of the service.
    ///
    /// - Parameter key: The key.
    /// - Returns: The values.
    public func settings(of key: String) -> [Setting] {
        let found = parts.compactMap { part in part.values[key].map { (part, $0) } }
        let isTargeted = found.contains { $0.0.audience == .targeted }
        return found.map { part, value in
            let isInForce = part.audience == .targeted || !isTargeted
            return Setting(value: value, part: part.name, audience: part.audience, isInForce: isInForce)
        }
    }

    /// Returns the values of a key that are in force, in the order of the service.
    ///
    /// - Parameter key: The key.
    /// - Returns: The values.
    public func values(of key: String) -> [AppConfigurationValue] {
        settings(of: key).filter(\.isInForce).map(\.value)
    }

    /// Returns whether the values of a key that are in force differ.
    ///
    /// - Parameter key: The key.
    /// - Returns: `true` if they differ.
    public func hasConflict(on key: String) -> Bool { Set(values(of: key)).count > 1 }
}

extension AppConfiguration: CustomStringConvertible {
    /// The number of parts and the keys, without the values, which can be secret.
    public var description: String {
        "configuration of \(parts.count) parts: \(keys.map { EscapedText($0).quoted }.joined(separator: ", "))"
    }
}
