import Foundation
import MultiIdentity

@testable import MultiIdentityProtection

/// A test's own folder with a key file.
struct KeyFolder {
    let folder = TemporaryFolder()
    static let name = "keys"

    var path: String { folder / Self.name }

    /// Returns a fixed key, so that another process can open a test's file.
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

    /// Returns the content of a file; empty if there is none.
    static func read(_ path: String) throws -> [UInt8] {
        FileManager.default.contents(atPath: path).map { Array($0) } ?? []
    }

    /// The bytes of a key, for comparison.
    static func bytes(of key: IdentityKey) -> [UInt8] { key.secret.withBytes { Array($0) } }

    /// Returns the code of the error that a body throws, or `nil`.
    static func code(_ body: () throws -> Void) -> ProtectionError.Code? { errorCode(of: body) }
}
