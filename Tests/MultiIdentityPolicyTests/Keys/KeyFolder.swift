import Foundation
import MultiIdentity

@testable import MultiIdentityProtection

/// A folder with a key file of a test's own.
struct KeyFolder {
    let folder = TemporaryFolder()
    static let name = "keys"

    var path: String { folder / Self.name }

    /// Always the same, so that a test's file can be opened by another process.
    static func master(_ byte: UInt8 = 1) throws -> MasterKey {
        try MasterKey([UInt8](repeating: byte, count: MasterKey.length))
    }

    static func open(
        _ path: String,
        _ master: UInt8 = 1,
        former: UInt8? = nil,
        lockLimit: Int = 10_000
    ) throws -> KeyFile {
        let masters = [master] + (former.map { [$0] } ?? [])
        return try KeyFile(at: path, masters: masters.map { try Self.master($0) }, lockLimit: lockLimit)
    }

    func open(_ master: UInt8 = 1, former: UInt8? = nil) throws -> KeyFile {
        try Self.open(path, master, former: former)
    }

    var bytes: [UInt8] {
        get { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }
        nonmutating set {
            _ = FileManager.default.createFile(
                atPath: path,
                contents: Data(newValue),
                attributes: [.posixPermissions: 0o600]
            )
        }
    }

    /// Returns the content of a file; nothing where there is none.
    static func read(_ path: String) throws -> [UInt8] {
        FileManager.default.contents(atPath: path).map { Array($0) } ?? []
    }

    /// The bytes of a key, to be compared.
    static func bytes(of key: IdentityKey) -> [UInt8] { key.secret.withBytes { Array($0) } }

    /// The code of the error that comes of it, or `nil`.
    static func code(_ body: () throws -> Void) -> ProtectionError.Code? { errorCode(of: body) }
}
