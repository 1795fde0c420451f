import Foundation
import MultiIdentity

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

/// A test's own file below a root, and its protection.
struct FileFixture {
    let users = ProtectionFixture()
    let folder = TemporaryFolder()
    let files: IdentityFileSystem

    init() throws { files = try IdentityFileSystem(root: folder.path, records: .attributes) }

    var protection: DataProtection { users.protection }
    var path: String { folder / "file" }

    var bytes: [UInt8] {
        get { Self.read(path) }
        nonmutating set { Self.write(newValue, to: path) }
    }

    func protect(for owner: Identity? = nil, to target: String? = nil) throws(ProtectionError) {
        try protection.protectFile("file", in: files, for: owner ?? users.ada, to: target)
    }

    func unprotect(expecting owner: Identity? = nil, to target: String? = nil) throws(ProtectionError) {
        if let owner { return try protection.unprotectFile("file", in: files, expecting: owner, to: target) }
        try protection.unprotectFileIfProtected("file", in: files, to: target)
    }

    var info: ProtectionInfo? { get throws { try protection.protectionInfo(bytes) } }

    /// Runs a body, and another closure once during it: before the second write.
    static func during(_ body: () throws -> Void, meanwhile: @escaping @Sendable () -> Void) throws {
        let count = Locked(0)
        let faults = StorageFaults { call in
            guard call.name == "write" else { return }
            let number = count.next()
            if number == 2 { meanwhile() }
        }
        try faults.during { try body() }
    }

    var status: FileStatus { get throws { try OpenFile.open(path, .reading).status() } }

    static func read(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }

    static func write(_ bytes: [UInt8], to path: String) {
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }

    /// Returns the code of the error that a body throws, or `nil`.
    static func code(_ body: () throws -> Void) -> ProtectionError.Code? { errorCode(of: body) }

    /// Sizes around those of segments and of the pieces in which files are read.
    static let sizes = [0, 1, 4_095, 4_096, 4_097, 262_143, 262_144, 262_145, 600_000]
}
