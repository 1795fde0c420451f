#if Signing
import Crypto
import Foundation

/// Secret keys by ID: one that signs, and others that are still accepted, so that a key can be replaced while both
/// sides run.
///
/// To rotate: put the new key second everywhere, then first where it signs, and remove the old one once everything
/// that it signed has expired.
public struct KeyRing: Sendable {
    /// The ID of the key that signs.
    public let currentID: String
    private let keys: [String: SymmetricKey]

    /// The IDs of all keys, the one that signs first.
    public var ids: [String] { [currentID] + keys.keys.filter { $0 != currentID }.sorted() }

    /// Parses keys from the text of an environment variable: `id:base64,id:base64`, the one that signs first.
    ///
    /// - Parameter text: IDs of 1 to 64 letters, digits, `.`, `_` and `-`; keys of 32 to 64 bytes.
    /// - Throws: ``KeyRingError``, which says which key breaks which rule, and never shows a key.
    public init(parsing text: String) throws(KeyRingError) {
        var keys: [String: SymmetricKey] = [:]
        var currentID: String?
        for (position, entry) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isID(parts[0]) else {
                throw KeyRingError(
                    "Key \(position + 1) is not written as id:base64, with an ID of letters, digits, . _ -"
                )
            }
            let id = String(parts[0])
            guard let bytes = Data(base64Encoded: String(parts[1])), 32...64 ~= bytes.count else {
                throw KeyRingError(
                    "Key \(position + 1) is not 32 to 64 bytes in base64; `openssl rand -base64 32` makes one."
                )
            }
            guard keys.updateValue(SymmetricKey(data: bytes), forKey: id) == nil else {
                throw KeyRingError("Key \(position + 1) has the ID of an earlier one.")
            }
            currentID = currentID ?? id
        }
        guard let currentID else { throw KeyRingError("There is no key.") }
        self.currentID = currentID
        self.keys = keys
    }

    /// Returns the HMAC-SHA256 of some bytes, made with the key that signs.
    public func code(for bytes: [UInt8]) -> [UInt8] {
        guard let key = keys[currentID] else { preconditionFailure("A ring always has the key that signs.") }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }

    /// Returns whether `code` is the HMAC-SHA256 of some bytes, made with the key of this ID; `nil` if there is none.
    ///
    /// The comparison takes the same time wherever the codes differ.
    public func isValid(_ code: [UInt8], for bytes: [UInt8], keyID: String) -> Bool? {
        keys[keyID].map { HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: bytes, using: $0) }
    }

    static func isID(_ id: some StringProtocol) -> Bool {
        1...64 ~= id.utf8.count
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension KeyRing: CustomStringConvertible {
    /// The IDs; never a key.
    public var description: String { "keys \(ids.joined(separator: ", "))" }
}

/// Keys that cannot be used: which one, and what to do.
public struct KeyRingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the key and says what to do; never the key itself.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Signing\"])")
#endif
