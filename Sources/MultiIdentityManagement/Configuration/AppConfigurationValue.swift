import MultiIdentity

/// A configuration value, with the type that the service gave it.
public enum AppConfigurationValue: Hashable, Sendable {
    /// A text, which can also represent a Boolean or a number: many services know no other type.
    case text(String)
    /// A Boolean.
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// A finite number that is not a 64-bit integer.
    case number(Double)

    /// The value as a text, as the service would write it.
    @_spi(Settings) public var text: String {
        switch self {
        case .text(let text): text
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        }
    }

    /// The value as a Boolean: `true` or `false`, ignoring case; otherwise `nil`.
    @_spi(Settings) public var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .text(let text): Bool(text.lowercased())
        case .integer, .number: nil
        }
    }

    /// The value as a 64-bit integer; otherwise `nil`.
    @_spi(Settings) public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .text(let text): Int64(text)
        case .number(let value): Int64(exactly: value)
        case .boolean: nil
        }
    }

    /// The value as a finite number; otherwise `nil`.
    @_spi(Settings) public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .boolean: nil
        }
    }
}

extension AppConfigurationValue: CustomStringConvertible {
    /// The value as written in a configuration text.
    public var description: String {
        if case .text(let text) = self { return EscapedText(text).quoted }
        return text
    }
}
