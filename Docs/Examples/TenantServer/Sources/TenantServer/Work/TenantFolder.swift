import Foundation
import HTTPTypes

/// A tenant's folder: two tenants never share one.
///
/// Whatever could mean something in a path is percent-encoded.
struct TenantFolder: Sendable {
    /// The folder's own name.
    let name: String
    let path: String

    /// - Parameters:
    ///   - root: The folder of all tenants' folders.
    ///   - user: The user's name, in the form that all its spellings share.
    /// - Throws: ``Refusal``, where the name is too long for a folder's.
    init(in root: String, of user: String) throws {
        let name = user.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                String(Unicode.Scalar(byte))
            default: "%" + String(byte, radix: 16, uppercase: true).leftPadded
            }
        }.joined()
        guard name.utf8.count <= 240 else {
            throw Refusal(.unprocessableContent, code: "long_name", "Users with so long a name have no files here.")
        }
        self.name = name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
        path = root + "/" + self.name
    }
}

extension String {
    fileprivate var leftPadded: String { count == 1 ? "0" + self : self }
}
