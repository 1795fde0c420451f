import MultiIdentity
import MultiIdentityFiles

/// The ID of a key in the data that it protects: 16 random bytes, not secret.
public struct IdentityKeyID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The length of an ID in bytes: 16.
    public static var length: Int { 16 }

    /// Creates an ID from bytes.
    ///
    /// - Parameter bytes: ``length`` bytes; the result is `nil` for another length.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns a new, unique ID.
    static func random() throws(ProtectionError) -> IdentityKeyID {
        guard let id = IdentityKeyID(bytes: try Cryptography.random(length)) else {
            throw ProtectionError.cryptography(failedTo: "give random bytes")
        }
        return id
    }

    /// The bytes of the ID.
    public var bytes: [UInt8] {
        [high, low].flatMap { part in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: part >> $0) }
        }
    }
}

extension IdentityKeyID: CustomStringConvertible {
    /// The ID as 32 hexadecimal digits.
    public var description: String { Hexadecimal.text(of: bytes) }
}
