import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A protected file with an owner", .rule("12.6")) struct AFileWithAnOwnerThatIsProtected {
    let folder = TemporaryFolder()
    let users = ProtectionFixture()
    let text = ProtectionFixture.text(300_000)

    private static func open(_ folder: TemporaryFolder, _ records: Keeping) throws -> IdentityFileSystem {
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: true)
        return try OwnedRoot.open(folder.path, records)
    }

    private func make(_ records: Keeping) throws -> IdentityFileSystem {
        let files = try Self.open(folder, records)
        try withIdentity(users.ada) { () throws(IdentityFileError) in
            try files.replace("a", with: text, permissions: 0o640)
        }
        return files
    }

    @Test("keeps its owner", arguments: Keeping.allCases) func keepsIt(_ records: Keeping) throws {
        let files = try make(records)
        try users.protection.protectFile("a", in: files, for: users.ada)
        #expect(try files.owner(of: "a") == .identity(users.ada))
        let path = folder / "root/a"
        #expect(try users.protection.unprotect(FileFixture.read(path), expecting: users.ada) == text)
        let status = try OpenFile.open(path, .reading).status()
        #expect(status.permissions == 0o640)
        try users.protection.protectFile("a", in: files, for: users.ada)
        #expect(try OpenFile.open(path, .reading).status().inode == status.inode, "it is left as it is")
        try users.protection.unprotectFile("a", in: files, expecting: users.ada)
        #expect(try files.owner(of: "a") == .identity(users.ada))
        try users.protection.unprotectFileIfProtected("a", in: files)
        #expect(FileFixture.read(path) == text)
    }

    @Test(
        "belongs to the identity from then on if a plain call created it, and is removed by a wipe",
        .rule("13.1"),
        arguments: Keeping.allCases
    )
    func isTheIdentitysFromThenOn(_ records: Keeping) throws {
        let (files, protection, ada) = (try Self.open(folder, records), users.protection, users.ada)
        FileFixture.write(text, to: folder / "root/a")
        try withIdentity(users.bob) { () throws(ProtectionError) in
            try protection.protectFile("a", in: files, for: ada, to: "copy")
            try protection.protectFile("a", in: files, for: ada)
            // Already protected.
            let sealed = FileFixture.read(folder / "root/a")
            for name in ["b", "c"] { FileFixture.write(sealed, to: folder / "root/\(name)") }
            try protection.protectFile("b", in: files, for: ada)
            try protection.unprotectFile("c", in: files, expecting: ada)
        }
        #expect(FileFixture.read(folder / "root/c") == text)
        #expect(try protection.unprotect(FileFixture.read(folder / "root/b"), expecting: ada) == text)
        for name in ["a", "b", "c", "copy"] { #expect(try files.owner(of: name) == .identity(ada), "\(name)") }
        let witness = Witness()
        try files.removeFiles(of: ada, witness.visit)
        #expect(witness.removed == ["a", "b", "c", "copy"] && witness.failed.isEmpty)
    }

    @Test("is copied with its owner, encrypted, to where owners are kept", arguments: Keeping.allCases, [true, false])
    func isCopiedWithIt(_ records: Keeping, _ isElsewhere: Bool) throws {
        let files = try make(records)
        let folderElsewhere = TemporaryFolder()
        let elsewhere = try isElsewhere ? Self.open(folderElsewhere, records) : nil
        let (there, root) = (elsewhere ?? files, (isElsewhere ? folderElsewhere : folder) / "root")
        link(folder / "root/a", folder / "root/second")
        try withIdentity(users.bob) { () throws(ProtectionError) in
            try users.protection.protectFile("a", in: files, for: users.ada, to: "b", in: elsewhere)
        }
        #expect(try there.owner(of: "b") == .identity(users.ada))
        #expect(FileFixture.read(folder / "root/a") == text, "it stays as it is")
        let sealed = FileFixture.read("\(root)/b")
        #expect(try users.protection.unprotect(sealed, expecting: users.ada) == text)
        #expect(try OpenFile.open("\(root)/b", .reading).status().permissions == 0o640)
        try users.protection.unprotectFile("b", in: there, expecting: users.ada, to: "c")
        #expect(FileFixture.read("\(root)/c") == text)
        #expect(try there.owner(of: "c") == .identity(users.ada))
        #expect(there.files(of: .identity(users.ada)).paths.contains("b"))
        #expect(
            FileFixture.code {
                try users.protection.protectFile("a", in: files, for: users.ada, to: "b", in: elsewhere)
            } == .fileFailed
        )
        #expect(FileFixture.read("\(root)/b") == sealed, "nothing that is there is written over")
        try users.protection.unprotectFileIfProtected("a", in: files, to: "d", in: elsewhere)
        #expect(FileFixture.read("\(root)/d") == text)
    }

    @Test("leaves nothing if copying it fails", arguments: Keeping.allCases)
    func leavesNothing(_ records: Keeping) throws {
        let files = try make(records)
        let path = folder / "root/a"
        let grown = FileFixture.code {
            try FileFixture.during {
                try users.protection.protectFile("a", in: files, for: users.ada, to: "b")
            } meanwhile: {
                truncate(path, 400_000)
            }
        }
        #expect(grown == .unsuitableFile)
        #expect(
            FileFixture.code { try users.protection.unprotectFile("a", in: files, expecting: users.ada, to: "b") }
                == .notEncrypted
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "root") == ["a"])
        #expect(files.files(of: .identity(users.ada)).paths == ["a"])
    }

    @Test("is left as it is if protecting it is refused", arguments: Keeping.allCases)
    func isLeftAsItIsWhereThatIsRefused(
        _ records: Keeping
    ) throws {
        let files = try make(records)
        let path = folder / "root/a"
        let ada = users.ada
        #expect(
            FileFixture.code { try users.protection.unprotectFile("a", in: files, expecting: ada) } == .notEncrypted
        )
        #expect(FileFixture.code { try users.protection.protectFile("b", in: files, for: ada) } == .notFound)
        link(path, folder / "root/second")
        #expect(FileFixture.code { try users.protection.protectFile("a", in: files, for: ada) } == .unsuitableFile)
        unlink(folder / "root/second")
        let grown = FileFixture.code {
            try FileFixture.during {
                try users.protection.protectFile("a", in: files, for: ada)
            } meanwhile: {
                truncate(path, 400_000)
            }
        }
        #expect(grown == .unsuitableFile)
        #expect(FileFixture.read(path).count == 400_000)
        try users.protection.protectFile("a", in: files, for: ada)
        var altered = FileFixture.read(path)
        altered[altered.count - 30] ^= 1
        FileHandle(forWritingAtPath: path)?.write(Data(altered))
        #expect(FileFixture.code { try users.protection.unprotectFileIfProtected("a", in: files) } == .tampered)
        #expect(FileFixture.read(path) == altered)
        #expect(try files.owner(of: "a") == .identity(ada))
    }
}
