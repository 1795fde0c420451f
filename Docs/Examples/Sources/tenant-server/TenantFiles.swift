import Foundation
import Logging
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection

/// Files that belong to the user who stores them, encrypted with that user's key.
struct TenantFiles: Sendable {
    let system: IdentityFileSystem
    private let protection: DataProtection
    private let queue = IdentityQueue(label: "files", attributes: .concurrent)

    /// - Parameters:
    ///   - folder: The folder of all users' files.
    ///   - index: The folder of the owners' index, for file systems without extended attributes.
    ///   - keys: The users' keys.
    /// - Throws: The file system's error.
    init(folder: String, index: String, keys: any IdentityKeyProvider) throws {
        // Closed: a wipe would not find a file without an owner.
        system = try IdentityFileSystem(root: folder, records: .automatic(indexIn: index), withoutOwner: .refused)
        protection = DataProtection(keys: keys, accounts: AllUsers())
    }

    /// Stores a file of the current user atomically.
    func store(_ bytes: [UInt8], as name: String) async throws {
        try await queue.runUnlessRevoked { [self] in
            let owner = try Identity.required()
            try system.replace(Self.path(name, owner), with: protection.protect(bytes, for: owner))
            Logger.current.info("file stored", metadata: ["for": "\(owner.name)"])
        }
    }

    /// Reads a file of the current user; returns `nil` if there is none.
    ///
    /// - Throws: `ProtectionError` if it was replaced with a plain file, or another user's.
    func read(_ name: String) async throws -> [UInt8]? {
        try await queue.runUnlessRevoked { [self] in
            let owner = try Identity.required()
            let bytes: [UInt8]
            do {
                bytes = try system.open(Self.path(name, owner), for: .reading).readToEnd()
            } catch let error as IdentityFileError where error.code == .notFound {
                return nil
            }
            return try protection.unprotect(bytes, expecting: owner)
        }
    }

    /// Returns a path that is unique for the user and the name, and cannot leave the folder.
    private static func path(_ name: String, _ owner: Identity) -> String {
        func escaped(_ text: String) -> String {
            text.utf8.map { byte in
                let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
                return isPlain ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16)
            }.joined()
        }
        return escaped(owner.caselessName) + "+" + escaped(name)
    }
}

/// Every user of the server is managed: their files are encrypted, and they can be wiped.
struct AllUsers: ManagedIdentities {
    func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }
}
