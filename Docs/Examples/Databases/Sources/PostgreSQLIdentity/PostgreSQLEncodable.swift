/// A value that a statement can be given as a parameter, `$1`.
public protocol PostgreSQLEncodable: Sendable {
    /// The value in the server's text form.
    var postgreSQLText: String { get }
}

extension String: PostgreSQLEncodable {
    /// The text as it is.
    public var postgreSQLText: String { self }
}

extension Int: PostgreSQLEncodable {
    /// The number in decimal.
    public var postgreSQLText: String { String(self) }
}

extension Int64: PostgreSQLEncodable {
    /// The number in decimal.
    public var postgreSQLText: String { String(self) }
}

extension Double: PostgreSQLEncodable {
    /// The shortest text that is read back as this number.
    public var postgreSQLText: String { description }
}

extension Bool: PostgreSQLEncodable {
    /// `t` or `f`.
    public var postgreSQLText: String { self ? "t" : "f" }
}

extension [UInt8]: PostgreSQLEncodable {
    /// The bytes as `bytea` has them: `\x` and two hexadecimal digits each.
    public var postgreSQLText: String {
        var text = "\\x"
        text.reserveCapacity(2 + count * 2)
        for byte in self {
            for digit in [byte >> 4, byte & 15] {
                text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 48 + digit : 87 + digit))
            }
        }
        return text
    }
}
