import Foundation
import MultiIdentity

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

/// A file of a test's own, and what protects it.
struct FileFixture {
    let users = ProtectionFixture()
    let folder = TemporaryFolder()

    var protection: DataProtection { users.protection }
    var path: String { folder / "file" }

    var bytes: [UInt8] {
        get { Self.read(path) }
        nonmutating set { Self.write(newValue, to: path) }
    }

    var status: FileStatus { get throws { try OpenFile.open(path, .reading).status() } }

    static func read(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }

    static func write(_ bytes: [UInt8], to path: String) {
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }

    /// The code of the error that comes of it, or `nil`.
    static func code(_ body: () throws -> Void) -> DataProtectionError.Code? { errorCode(of: body) }

    /// Sizes around those of segments and of the pieces that files are read in.
    static let sizes = [0, 1, 4_095, 4_096, 4_097, 262_143, 262_144, 262_145, 600_000]
}
