import MultiIdentity

/// The name of a service in a policy, such as `sharepoint` or `s3.backups`.
///
/// A name has 1 to 255 ASCII letters, digits, dots, hyphens and underscores. Case is ignored, so that no spelling
/// evades a rule.
public struct ServiceName: Hashable, Sendable {
    /// The name, in lower case.
    public let name: String

    /// Creates a service name.
    ///
    /// - Parameter name: 1 to 255 ASCII letters, digits, `.`, `-` and `_`.
    /// - Throws: ``PolicyError`` with the code `.invalidServiceName` for anything else.
    public init(_ name: String) throws(PolicyError) {
        let isName = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy(isName) else {
            throw PolicyError(
                .invalidServiceName,
                """
                \(EscapedText(name).quoted) is not a service name, which has 1 to 255 ASCII letters, digits, dots, hyphens and \
                underscores. Use the same short name here and in the policies.
                """
            )
        }
        self.name = String(
            decoding: name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }
}

extension ServiceName: CustomStringConvertible {
    /// The name, in lower case.
    public var description: String { name }
}
