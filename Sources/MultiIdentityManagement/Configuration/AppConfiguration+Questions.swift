import MultiIdentity

extension AppConfiguration {
    /// The value to choose if a key has several.
    public enum Choice: Hashable, Sendable, CaseIterable {
        /// The first one in the order of the service.
        case any
        /// The smallest value; of texts, the first in Unicode order.
        case min
        /// The largest value; of texts, the last in Unicode order.
        case max
    }

    /// How several Booleans are combined.
    public enum BooleanChoice: Hashable, Sendable, CaseIterable {
        /// The first one in the order of the service.
        case any
        /// True if at least one is true.
        case or
        /// True if all are true.
        case and
    }

    /// Returns the value of a key as a text, whatever its type.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The value to choose if there are several.
    /// - Returns: The text; `nil` if the key has no value.
    public func string(_ key: String, _ choice: Choice = .any) -> String? {
        chosen(values(of: key).map(\.text), choice)
    }

    /// Returns the value of a key as a Boolean.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: How several Booleans are combined.
    /// - Returns: The Boolean; `nil` if the key has no value.
    /// - Throws: ``ManagementError`` if a value in force is not a Boolean.
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

    /// Returns the value of a key as an integer.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The value to choose if there are several.
    /// - Returns: The integer; `nil` if the key has no value.
    /// - Throws: ``ManagementError`` if a value in force is not an integer.
    public func integer(_ key: String, _ choice: Choice = .any) throws(ManagementError) -> Int64? {
        chosen(try read(key, "a whole number", \.integer), choice)
    }

    /// Returns the value of a key as a number.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - choice: The value to choose if there are several.
    /// - Returns: The number; `nil` if the key has no value.
    /// - Throws: ``ManagementError`` if a value in force is not a number.
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

    /// Returns the values in force as a type; a value of another type throws, and is not skipped.
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
                    .wrongValue,
                    "\(EscapedText(key).quoted) is not \(wanted) in \(part), which is \(setting.audience.rawValue). Change it there."
                )
            }
            read.append(value)
        }
        return read
    }
}
