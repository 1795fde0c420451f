/// A value that can be read from a column.
public protocol PostgreSQLDecodable: Sendable {
    /// A value from the server's text form; `nil` where it is none of this type.
    init?(postgreSQLText text: String)
}

extension String: PostgreSQLDecodable {
    /// The text as it is.
    public init?(postgreSQLText text: String) { self = text }
}

extension Int: PostgreSQLDecodable {
    /// A number in decimal.
    public init?(postgreSQLText text: String) { self.init(text) }
}

extension Int64: PostgreSQLDecodable {
    /// A number in decimal.
    public init?(postgreSQLText text: String) { self.init(text) }
}

extension Double: PostgreSQLDecodable {
    /// A number.
    public init?(postgreSQLText text: String) { self.init(text) }
}

extension Bool: PostgreSQLDecodable {
    /// `t` or `f`.
    public init?(postgreSQLText text: String) {
        guard text == "t" || text == "f" else { return nil }
        self = text == "t"
    }
}

extension [UInt8]: PostgreSQLDecodable {
    /// `\x` and two hexadecimal digits a byte, as `bytea` is sent.
    public init?(postgreSQLText text: String) {
        guard text.hasPrefix("\\x"), text.utf8.count.isMultiple(of: 2) else { return nil }
        let digits = text.utf8.dropFirst(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.utf8.count - 2 else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
