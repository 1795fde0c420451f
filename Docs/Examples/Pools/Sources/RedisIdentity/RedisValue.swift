/// An answer of Redis, of either version of its protocol.
public indirect enum RedisValue: Hashable, Sendable {
    /// A word, as `OK`.
    case word(String)
    /// A string of bytes.
    case bytes([UInt8])
    /// A number.
    case integer(Int64)
    /// A number with a fraction, or one too large for 64 bits, as it was sent.
    case number(String)
    /// Yes or no.
    case boolean(Bool)
    /// Several; a map has each key before its value.
    case several([RedisValue])
    /// A refusal, inside a list of answers; by itself it is thrown.
    case error(String)
    /// Nothing.
    case nothing

    /// A word or a string, as text.
    public var text: String? {
        switch self {
        case .word(let word): word
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }
}
