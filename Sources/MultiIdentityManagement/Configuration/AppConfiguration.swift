import MultiIdentity

/// The configuration of one account: a list of dictionaries with keys and values of the program.
///
/// ```swift
/// let configuration = registry.configuration(of: .current)
/// let theme = try configuration.string("theme") ?? "light"
/// let limit = try configuration.integer("uploads", .min)
/// let mayShare = try configuration.boolean("share", .and) ?? false
/// ```
///
/// A value that is targeted at the account hides those that everybody gets, under the same key. Where values in force differ, each
/// question says which of them it wants, and ``hasConflict(on:)`` tells of it.
public struct AppConfiguration: Hashable, Sendable {
    /// The accounts that a part of a configuration is for.
    public enum Audience: String, Hashable, Sendable, CaseIterable {
        /// It was given to this account, or to a group that it is in.
        case targeted
        /// It is for everybody, and counts where nothing is targeted.
        case standard
    }

    /// One dictionary of a configuration, as an administrator made it.
    public struct Part: Hashable, Sendable {
        /// The name by which the administrator knows it; empty where it has none.
        public let name: String
        /// The accounts that it is for.
        public let audience: Audience
        /// The values.
        public let values: [String: AppConfigurationValue]

        /// A dictionary of a configuration.
        ///
        /// - Parameters:
        ///   - values: The values.
        ///   - audience: The accounts that it is for.
        ///   - name: The name by which the administrator knows it.
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
        /// The name of the part that has it.
        public let part: String
        /// The accounts that the part is for.
        public let audience: Audience
        /// Indicates whether the value counts: a standard one does not where one is targeted.
        public let isInForce: Bool
    }

    /// The dictionaries, in the order of the service.
    public let parts: [Part]

    /// A configuration of these dictionaries.
    ///
    /// - Parameter parts: The dictionaries, in the order of the service.
    public init(_ parts: [Part] = []) { self.parts = parts }

    /// All keys, sorted.
    public var keys: [String] { Set(parts.flatMap(\.values.keys)).sorted() }

    /// Every value of a key with its source, in force or not, in the order of the service.
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

    /// The values of a key that are in force, in the order of the service.
    ///
    /// - Parameter key: The key.
    /// - Returns: The values.
    public func values(of key: String) -> [AppConfigurationValue] {
        settings(of: key).filter(\.isInForce).map(\.value)
    }

    /// Returns whether values of a key that are in force differ.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether they do.
    public func hasConflict(on key: String) -> Bool { Set(values(of: key)).count > 1 }

    /// The keys on which values in force differ, each with every value and its source.
    public var conflicts: [String: [Setting]] {
        var conflicts: [String: [Setting]] = [:]
        for key in keys where hasConflict(on: key) { conflicts[key] = settings(of: key) }
        return conflicts
    }
}

extension AppConfiguration: CustomStringConvertible {
    /// The number of parts and the keys, without the values, which can be secrets.
    public var description: String {
        "configuration of \(parts.count) parts: \(keys.map { EscapedText($0).quoted }.joined(separator: ", "))"
    }
}
