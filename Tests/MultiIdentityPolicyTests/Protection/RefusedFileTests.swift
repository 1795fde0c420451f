import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A file that is refused by protection", .timeLimit(.minutes(20)))
struct AFileThatIsNotProtectedNorUnprotected {
    let fixture: FileFixture
    let text = ProtectionFixture.text(9_000)

    init() throws {
        fixture = try FileFixture()
        fixture.bytes = text
    }

    private func protecting(to target: String? = nil) -> ProtectionError.Code? {
        FileFixture.code { try fixture.protect(to: target) }
    }

    private func unprotecting(_ expected: Identity? = nil, to target: String? = nil) -> ProtectionError.Code? {
        FileFixture.code { try fixture.unprotect(expecting: expected, to: target) }
    }

    @Test("is a symbolic link", .rule("12.6")) func isASymbolicLink() throws {
        _ = rename(fixture.path, fixture.folder / "elsewhere")
        symlink("elsewhere", fixture.path)
        #expect(protecting() == .unsuitableFile && unprotecting() == .unsuitableFile)
        #expect(FileFixture.read(fixture.folder / "elsewhere") == text)
    }

    @Test("has a NUL in its path, and is not the file before it") func hasANULInItsPath() {
        let code = FileFixture.code {
            try fixture.protection.protectFile("file\0", in: fixture.files, for: fixture.users.ada)
        }
        #expect(code == .fileFailed && protecting(to: "target\0") == .fileFailed)
        #expect(fixture.bytes == text && fixture.folder.names == ["file"])
    }

    @Test("is a pipe or a folder") func isAPipeOrAFolder() throws {
        unlink(fixture.path)
        mkfifo(fixture.path, 0o600)
        #expect(protecting() == .unsuitableFile)
        unlink(fixture.path)
        mkdir(fixture.path, 0o700)
        #expect(protecting() == .unsuitableFile)
    }

    @Test("would take the name of another") func wouldTakeTheNameOfAnother() {
        fixture.folder.write("another", to: "target")
        for name in ["target", "file"] { #expect(protecting(to: name) == .fileFailed) }
        #expect(fixture.folder.text(of: "target") == "another" && fixture.bytes == text)
        #expect(fixture.folder.names == ["file", "target"])
    }

    @Test("is protected for another", .rule("12.6")) func isProtectedForAnother() throws {
        try fixture.protect(for: fixture.users.bob)
        let bytes = fixture.bytes
        #expect(protecting() == .otherOwner)
        #expect(unprotecting(fixture.users.ada) == .otherOwner)
        #expect(fixture.bytes == bytes)
    }

    @Test("only claims its owner", .rule("12.6")) func onlyClaimsItsOwner() throws {
        fixture.bytes = ProtectionHeader(owner: fixture.users.ada, encryption: nil).bytes + text
        #expect(protecting() == .claimsManagedIdentity && unprotecting() == .claimsManagedIdentity)
        #expect(FileFixture.code { _ = try fixture.info } == .claimsManagedIdentity)
        fixture.bytes = try fixture.protection.protect(text, for: fixture.users.eve)
        #expect(unprotecting(fixture.users.eve) == .notEncrypted && protecting() == .otherOwner)
    }

    @Test("only begins as an encrypted one does") func onlyBeginsAsAnEncryptedOneDoes() throws {
        let key = try fixture.users.keys.currentKey(for: fixture.users.ada)
        let encryption = ProtectionHeader.Encryption(
            segmentSize: .kibibytes4,
            keyID: key.id,
            salt: [UInt8](repeating: 0, count: 32),
            keyCheck: key.check
        )
        let forged = ProtectionHeader(owner: fixture.users.ada, encryption: encryption).bytes + text
        fixture.bytes = forged
        #expect(protecting() == .truncated || protecting() == .tampered)
        fixture.bytes = forged + ProtectionFormat.end
        #expect(protecting() == .tampered)
        #expect(fixture.bytes == forged + ProtectionFormat.end)
    }

    @Test("lost its key") func lostItsKey() throws {
        try fixture.protect()
        fixture.users.keys.destroyKeys(of: fixture.users.ada)
        #expect(unprotecting() == .destroyedKey && protecting() == .destroyedKey)
        #expect(try fixture.info?.owner == fixture.users.ada)
    }

    @Test("was altered anywhere", .rule("12.6")) func wasAlteredAnywhere() throws {
        try fixture.protect()
        let sealed = fixture.bytes
        let start = fixture.users.startOfSegments(of: fixture.users.ada)
        for index in sealed.indices where index < start + 3 || index % 500 == 0 || index > sealed.count - 25 {
            var altered = sealed
            altered[index] ^= 0x10
            fixture.bytes = altered
            #expect(unprotecting(fixture.users.ada) != nil, "byte \(index)")
            #expect(unprotecting(fixture.users.ada, to: "target") != nil, "byte \(index)")
            #expect(fixture.bytes == altered && fixture.folder.names == ["file"])
        }
    }

    @Test("was truncated or mixed") func wasCutOffOrMixed() throws {
        try fixture.protect()
        let sealed = fixture.bytes
        let (start, size) = (fixture.users.startOfSegments(of: fixture.users.ada), 4_112)
        var cuts = [8, 9, 50, start - 1, start, start + 20, start + size, start + size + 4, sealed.count - 4]
        cuts += [sealed.count - 1]
        for count in cuts {
            fixture.bytes = Array(sealed.prefix(count))
            #expect(unprotecting() == .truncated, "\(count) bytes")
        }
        let end = ProtectionFormat.end
        let (first, second) = (sealed[start..<start + size], sealed[(start + size)..<start + 2 * size])
        let swapped = Array(sealed[..<start] + second + first + sealed[(start + 2 * size)...])
        let shortened = Array(sealed[..<start] + first + end)
        for altered in [swapped, shortened, sealed + end] {
            fixture.bytes = altered
            #expect(unprotecting() == .tampered)
            #expect(fixture.folder.names == ["file"])
        }
        fixture.bytes = sealed
        #expect(unprotecting() == nil && fixture.bytes == text)
    }

    /// Returns the error code if a file is protected while another change happens to it.
    private func protecting(meanwhile change: @escaping @Sendable (String) -> Void) -> ProtectionError.Code? {
        let path = fixture.path
        return FileFixture.code {
            try FileFixture.during {
                try fixture.protect()
            } meanwhile: {
                change(path)
            }
        }
    }

    @Test("is written to meanwhile", .rule("12.6")) func isWrittenToMeanwhile() throws {
        fixture.bytes = ProtectionFixture.text(600_000)
        let code = protecting { path in
            let handle = FileHandle(forWritingAtPath: path)
            _ = try? handle?.seekToEnd()
            handle?.write(Data([1, 2, 3]))
        }
        #expect(code == .unsuitableFile)
        #expect(fixture.bytes.count == 600_003 && fixture.folder.names == ["file"])
        #expect(protecting { truncate($0, 300_000) } == .unsuitableFile)
        #expect(fixture.bytes == ProtectionFixture.text(300_000))
    }

    @Test("is written to in place meanwhile", .rule("12.6")) func isWrittenToMeanwhileInItsPlace() throws {
        fixture.bytes = ProtectionFixture.text(600_000)
        // The clock of change times ticks in milliseconds: wait until another file would get another time.
        let written = try fixture.status.changeTime
        repeat {
            fixture.folder.write("", to: "later")
        } while try OpenFile.open(fixture.folder / "later", .reading)
            .status().changeTime <= written
        let code = protecting { FileHandle(forUpdatingAtPath: $0)?.write(Data([9, 9, 9])) }
        #expect(code == .unsuitableFile)
        #expect(fixture.bytes == [9, 9, 9] + ProtectionFixture.text(600_000).dropFirst(3))
    }

    @Test("is replaced meanwhile", .rule("12.6")) func isReplacedMeanwhile() throws {
        let folder = fixture.folder
        let code = protecting { path in
            folder.write("newer", to: "newer")
            _ = rename(folder / "newer", path)
        }
        #expect(code == .unsuitableFile)
        #expect(fixture.folder.text(of: "file") == "newer" && fixture.folder.names == ["file"])
    }
}
