#if Configuration
import Configuration
@_spi(Settings) import MultiIdentityManagement

/// The configuration of one account at one time.
struct AccountConfigSnapshot: ConfigSnapshot {
    let providerName = "AccountConfigProvider"
    let configuration: AppConfiguration

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.components.joined(separator: ".")
        let content = try content(of: name, type, Self.choice(of: key))
        return LookupResult(encodedKey: name, value: content.map { ConfigValue($0, isSecret: true) })
    }

    private static func choice(of key: AbsoluteConfigKey) -> String {
        if case .string(let choice) = key.context[AccountConfigProvider.choiceKey] { choice } else { "any" }
    }

    private func content(of name: String, _ type: ConfigType, _ choice: String) throws -> ConfigContent? {
        let values = configuration.values(of: name)
        if values.isEmpty { return nil }
        let one: AppConfiguration.Choice = choice == "min" ? .min : choice == "max" ? .max : .any
        let boolean: AppConfiguration.BooleanChoice = choice == "or" ? .or : choice == "and" ? .and : .any
        return switch type {
        case .string: configuration.string(name, one).map { .string($0) }
        case .int: try configuration.integer(name, one).flatMap { Int(exactly: $0) }.map { .int($0) }
        case .double: try configuration.double(name, one).map { .double($0) }
        case .bool: try configuration.boolean(name, boolean).map { .bool($0) }
        case .bytes: configuration.string(name, one).map { .bytes(Array($0.utf8)) }
        case .stringArray: .stringArray(values.map(\.text))
        case .intArray: Self.all(values.map { $0.integer.flatMap { Int(exactly: $0) } }).map { .intArray($0) }
        case .doubleArray: Self.all(values.map(\.number)).map { .doubleArray($0) }
        case .boolArray: Self.all(values.map(\.boolean)).map { .boolArray($0) }
        case .byteChunkArray: .byteChunkArray(values.map { Array($0.text.utf8) })
        }
    }

    /// Returns all values, or none if one has another type.
    private static func all<Value>(_ values: [Value?]) -> [Value]? {
        let found = values.compactMap(\.self)
        return found.count == values.count ? found : nil
    }
}
#endif
