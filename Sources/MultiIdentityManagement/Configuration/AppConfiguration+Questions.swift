import MultiIdentity

extension AppConfiguration {
    /// The one of several values that a question wants.
    public enum Choice: Hashable, Sendable, CaseIterable {
        /// The first in the order of the service.
        case any
        /// The least; of texts, the first in the order of Unicode.
        case min
        /// The greatest; of texts, the last in the order of Unicode.
        case max
    }

    /// The way in which several Booleans become one.
    public enum BooleanChoice: Hashable, Sendable, CaseIterable {
        /// The first in the order of the service.
        case any
        /// True if one of them is.
        case or
        /// True if all of them are.
        case and
    }

    /// A text, or any other value as a text.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The one of several values.
    /// - Returns: The text; `nil` where the key has no value.
    public func string(_ key: String, _ choice: Choice = .any) -> String? {
        chosen(values(of: key).map(\.text), choice)
    }

    /// A Boolean.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The way in which several become one.
    /// - Returns: The Boolean; `nil` where the key has no value.
    /// - Throws: ``ManagementError`` where a value in force is none.
    public func boolean(
        _ key: String,
        _ choice: BooleanChoice = .any
    ) throws(ManagementError) -> Bool? {
        let values = try read(key, "a Boolean", \.boolean)
        if values.isEmpty { return nil }
        return switch choice {
        case .any: values.first
        case .or: values.contains(true)
        case .and: !values.contains(false)
        }
    }

    /// A whole number.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The one of several values.
    /// - Returns: The number; `nil` where the key has no value.
    /// - Throws: ``ManagementError`` where a value in force is none.
    public func integer(_ key: String, _ choice: Choice = .any) throws(ManagementError) -> Int64? {
        chosen(try read(key, "a whole number", \.integer), choice)
    }

    /// A number.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The one of several values.
    /// - Returns: The number; `nil` where the key has no value.
    /// - Throws: ``ManagementError`` where a value in force is none.
    public func double(_ key: String, _ choice: Choice = .any) throws(ManagementError) -> Double? {
        chosen(try read(key, "a number", \.number), choice)
    }

    private func chosen<Value: Comparable>(_ values: [Value], _ choice: Choice) -> Value? {
        switch choice {
        case .any: values.first
        case .min: values.min()
        case .max: values.max()
        }
    }

    /// The values in force as a type; one that is not of it is no reason to pass it over, and another be found.
    private func read<Value>(
        _ key: String,
        _ wanted: String,
        _ value: (AppConfigurationValue) -> Value?
    ) throws(ManagementError) -> [Value] {
        var read: [Value] = []
        for setting in settings(of: key) where setting.isInForce {
            guard let value = value(setting.value) else {
                // Without the value itself, which can be a secret.
                let part =
                    setting.part.isEmpty ? "a part without a name" : "the part \(EscapedText(setting.part).quoted)"
                throw ManagementError(
                    .wrongType,
                    "\(EscapedText(key).quoted) is not \(wanted) in \(part), which is \(setting.audience.rawValue). Change it there."
                )
            }
            read.append(value)
        }
        return read
    }
}
