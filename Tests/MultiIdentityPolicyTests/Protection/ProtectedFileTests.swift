import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A file that is protected") struct AFileThatIsProtected {
    let fixture = FileFixture()

    @Test("is what protecting in memory makes", .rule("12.6"), arguments: FileFixture.sizes)
    func isWhatProtectingInMemoryMakes(_ size: Int) throws {
        let text = ProtectionFixture.text(size)
        fixture.bytes = text
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        #expect(try fixture.protection.unprotect(fixture.bytes, expecting: fixture.users.ada) == text)
        #expect(try fixture.protection.protectionInfo(ofFile: fixture.path)?.owner == fixture.users.ada)
        #expect(fixture.folder.names == ["file"])
    }

    @Test(
        "comes back as it was",
        .rule("12.6"),
        .guide("protect, unprotect, protectionInfo"),
        arguments: FileFixture.sizes,
        [SegmentSize.kibibytes4, .kibibytes64, SegmentSize(exponent: 20)]
    )
    func comesBackAsItWas(_ size: Int, _ segmentSize: SegmentSize?) throws {
        let text = ProtectionFixture.text(size)
        let other = DataProtection(
            keys: fixture.users.keys,
            accounts: fixture.protection.accounts,
            segmentSize: try #require(segmentSize)
        )
        fixture.bytes = try other.protect(text, for: fixture.users.ada)
        try fixture.protection.unprotectFile(fixture.path, expecting: fixture.users.ada)
        #expect(fixture.bytes == text)
        fixture.bytes = try other.protect(text, for: fixture.users.ada)
        try fixture.protection.unprotectFileIfProtected(fixture.path)
        #expect(fixture.bytes == text)
        #expect(fixture.folder.names == ["file"])
    }

    @Test("stays readable where its owner is not managed", arguments: [0, 10, 300_000])
    func staysReadableWhereItsOwnerIsNotManaged(_ size: Int) throws {
        let text = ProtectionFixture.text(size)
        fixture.bytes = text
        try fixture.protection.protectFile(fixture.path, for: fixture.users.eve)
        #expect(fixture.bytes == (try fixture.protection.protect(text, for: fixture.users.eve)))
        let info = try fixture.protection.protectionInfo(ofFile: fixture.path)
        #expect(info == ProtectionInfo(owner: fixture.users.eve, form: .claimed))
        let inode = try fixture.status.inode
        try fixture.protection.protectFile(fixture.path, for: fixture.users.eve)
        #expect(try fixture.status.inode == inode)
        try fixture.protection.unprotectFileIfProtected(fixture.path)
        #expect(fixture.bytes == text)
    }

    static let neverProtected: [[UInt8]] = [[], [1, 2, 3], ProtectionFormat.magic.dropLast(), Array("text".utf8)]

    @Test("is left as it is where it was never protected", arguments: neverProtected)
    func isLeftAsItIsWhereItWasNeverProtected(_ bytes: [UInt8]) throws {
        fixture.bytes = bytes
        let inode = try fixture.status.inode
        try fixture.protection.unprotectFileIfProtected(fixture.path)
        #expect(fixture.bytes == bytes)
        #expect(try fixture.status.inode == inode)
        #expect(try fixture.protection.protectionInfo(ofFile: fixture.path) == nil)
        let ada = fixture.users.ada
        #expect(
            FileFixture.code { try fixture.protection.unprotectFile(fixture.path, expecting: ada) } == .notProtected
        )
        try fixture.protection.unprotectFileIfProtected(fixture.path, to: fixture.folder / "target")
        #expect(FileFixture.read(fixture.folder / "target") == bytes)
    }

    @Test("keeps its permissions and its user", .rule("12.6"), arguments: [0o600, 0o644, 0o440, 0o755, 0o4_750])
    func keepsItsPermissionsAndItsUser(_ mode: UInt32) throws {
        fixture.bytes = [1, 2, 3]
        if geteuid() == 0 { chown(fixture.path, 12_345, 54_321) }
        chmod(fixture.path, mode)
        // Open to the end: the file system could give the number of a file that is gone to the last one.
        let original = try OpenFile.open(fixture.path, .reading)
        let before = try original.status()
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        try fixture.protection.unprotectFileIfProtected(fixture.path, to: fixture.folder / "target")
        try fixture.protection.unprotectFileIfProtected(fixture.path)
        for status in [try fixture.status, try OpenFile.open(fixture.folder / "target", .reading).status()] {
            #expect(status.permissions == mode && before.permissions == mode)
            #expect(status.user == before.user && status.group == before.group)
        }
        #expect(try fixture.status.inode != original.status().inode)
    }

    @Test("keeps its recorded owner", .rule("12.6")) func keepsItsRecordedOwner() throws {
        fixture.bytes = [1, 2, 3]
        let name = "user.multi-identity.owner"
        do {
            try OpenFile.open(fixture.path, .readingAndWriting).setAttribute(name, to: [9, 8, 7])
        } catch {
            try #require(error.isNoAttributes)
            return
        }
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        try fixture.protection.unprotectFileIfProtected(fixture.path, to: fixture.folder / "target")
        for path in [fixture.path, fixture.folder / "target"] {
            #expect(try OpenFile.open(path, .reading).attribute(name, limit: 10) == [9, 8, 7])
        }
    }

    @Test("is left as it is where it is protected for the same")
    func isLeftAsItIsWhereItIsProtectedForTheSame() throws {
        fixture.bytes = [1, 2, 3]
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        let (inode, bytes) = (try fixture.status.inode, fixture.bytes)
        try fixture.protection.protectFile(fixture.path, for: Identity("ADA@CONTOSO.COM"))
        #expect(try fixture.status.inode == inode)
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada, to: fixture.folder / "target")
        #expect(FileFixture.read(fixture.folder / "target") == bytes)
    }

    @Test("is encrypted anew where its key was rotated", .rule("12.6"), arguments: [3, 300_000])
    func isEncryptedAnewWhereItsKeyWasRotated(_ size: Int) throws {
        let text = ProtectionFixture.text(size)
        fixture.bytes = text
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        let id = try fixture.users.keys.rotateKey(of: fixture.users.ada)
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        let info = try fixture.protection.protectionInfo(ofFile: fixture.path)
        #expect(info == ProtectionInfo(owner: fixture.users.ada, form: .encrypted(with: id)))
        #expect(try fixture.protection.unprotect(fixture.bytes, expecting: fixture.users.ada) == text)
    }

    @Test("stays encrypted where its owner is managed no more")
    func staysEncryptedWhereItsOwnerIsManagedNoMore() throws {
        fixture.bytes = [1, 2, 3]
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada)
        let bytes = fixture.bytes
        let later = DataProtection(keys: fixture.users.keys, accounts: ProtectionFixture.Managed(names: []))
        try later.protectFile(fixture.path, for: fixture.users.ada)
        #expect(fixture.bytes == bytes)
        try later.unprotectFile(fixture.path, expecting: fixture.users.ada)
        #expect(fixture.bytes == [1, 2, 3])
    }

    @Test("can be written elsewhere and stays as it is") func canBeWrittenElsewhereAndStaysAsItIs() throws {
        let text = ProtectionFixture.text(300_000)
        fixture.bytes = text
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada, to: fixture.folder / "sealed")
        #expect(fixture.bytes == text)
        try fixture.protection.unprotectFile(
            fixture.folder / "sealed",
            expecting: fixture.users.ada,
            to: fixture.folder / "opened"
        )
        #expect(FileFixture.read(fixture.folder / "opened") == text)
        #expect(fixture.folder.names == ["file", "opened", "sealed"])
    }

    @Test("tells how far it is") func tellsHowFarItIs() throws {
        fixture.bytes = ProtectionFixture.text(600_000)
        var reported: [(UInt64, UInt64)] = []
        try fixture.protection.protectFile(fixture.path, for: fixture.users.ada) { reported.append(($0, $1)) }
        #expect(reported.map { $0.0 } == [262_144, 524_288, 600_000])
        #expect(reported.allSatisfy { $0.1 == 600_000 })
        reported = []
        try fixture.protection.unprotectFileIfProtected(fixture.path) { reported.append(($0, $1)) }
        #expect(reported.count == 3)
        #expect(reported.last?.0 == reported.last?.1)
    }
}
