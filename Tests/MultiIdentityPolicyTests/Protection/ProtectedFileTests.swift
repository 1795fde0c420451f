import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A protected file") struct AFileThatIsProtected {
    let fixture: FileFixture

    init() throws { fixture = try FileFixture() }

    @Test("is what protecting in memory makes", .rule("12.6"), arguments: FileFixture.sizes)
    func isWhatProtectingInMemoryMakes(_ size: Int) throws {
        let text = ProtectionFixture.text(size)
        fixture.bytes = text
        try fixture.protect()
        #expect(try fixture.protection.unprotect(fixture.bytes, expecting: fixture.users.ada) == text)
        #expect(try fixture.info?.owner == fixture.users.ada)
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
        try fixture.unprotect(expecting: fixture.users.ada)
        #expect(fixture.bytes == text)
        fixture.bytes = try other.protect(text, for: fixture.users.ada)
        try fixture.unprotect()
        #expect(fixture.bytes == text)
        #expect(fixture.folder.names == ["file"])
    }

    @Test("remains readable if its owner is not managed", arguments: [0, 10, 300_000])
    func staysReadableWhereItsOwnerIsNotManaged(_ size: Int) throws {
        let text = ProtectionFixture.text(size)
        fixture.bytes = text
        try fixture.protect(for: fixture.users.eve)
        #expect(fixture.bytes == (try fixture.protection.protect(text, for: fixture.users.eve)))
        let info = try fixture.info
        #expect(info == ProtectionInfo(owner: fixture.users.eve, form: .claimed))
        let inode = try fixture.status.inode
        try fixture.protect(for: fixture.users.eve)
        #expect(try fixture.status.inode == inode)
        try fixture.unprotect()
        #expect(fixture.bytes == text)
    }

    static let neverProtected: [[UInt8]] = [[], [1, 2, 3], ProtectionFormat.magic.dropLast(), Array("text".utf8)]

    @Test("is left as it is if it was never protected", arguments: neverProtected)
    func isLeftAsItIsWhereItWasNeverProtected(_ bytes: [UInt8]) throws {
        fixture.bytes = bytes
        let inode = try fixture.status.inode
        try fixture.unprotect()
        #expect(fixture.bytes == bytes)
        #expect(try fixture.status.inode == inode)
        #expect(try fixture.info == nil)
        let ada = fixture.users.ada
        #expect(FileFixture.code { try fixture.unprotect(expecting: ada) } == .notEncrypted)
        try fixture.unprotect(to: "target")
        #expect(FileFixture.read(fixture.folder / "target") == bytes)
    }

    @Test("keeps its permissions and its user", .rule("12.6"), arguments: [0o600, 0o644, 0o440, 0o755, 0o4_750])
    func keepsItsPermissionsAndItsUser(_ mode: UInt32) throws {
        fixture.bytes = [1, 2, 3]
        if geteuid() == 0 { chown(fixture.path, 12_345, 54_321) }
        chmod(fixture.path, mode)
        // Open to the end: otherwise the file system could reuse a removed file's number for the last one.
        let original = try OpenFile.open(fixture.path, .reading)
        let before = try original.status()
        try fixture.protect()
        try fixture.unprotect()
        let status = try fixture.status
        #expect(status.permissions == mode && before.permissions == mode)
        #expect(status.user == before.user && status.group == before.group)
        #expect(try fixture.status.inode != original.status().inode)
    }

    @Test("is left as it is if it is protected for the same identity")
    func isLeftAsItIsWhereItIsProtectedForTheSame() throws {
        fixture.bytes = [1, 2, 3]
        try fixture.protect()
        let (inode, bytes) = (try fixture.status.inode, fixture.bytes)
        try fixture.protect(for: Identity("ADA@CONTOSO.COM"))
        #expect(try fixture.status.inode == inode)
        try fixture.protect(to: "target")
        #expect(FileFixture.read(fixture.folder / "target") == bytes)
    }

    @Test("is encrypted again if its key was rotated", .rule("12.6"), arguments: [3, 300_000])
    func isEncryptedAnewWhereItsKeyWasRotated(_ size: Int) throws {
        let text = ProtectionFixture.text(size)
        fixture.bytes = text
        try fixture.protect()
        let id = try fixture.users.keys.rotateKey(of: fixture.users.ada)
        try fixture.protect()
        let info = try fixture.info
        #expect(info == ProtectionInfo(owner: fixture.users.ada, form: .encrypted(with: id)))
        #expect(try fixture.protection.unprotect(fixture.bytes, expecting: fixture.users.ada) == text)
    }

    @Test("remains encrypted if its owner is no longer managed")
    func staysEncryptedWhereItsOwnerIsManagedNoMore() throws {
        fixture.bytes = [1, 2, 3]
        try fixture.protect()
        let bytes = fixture.bytes
        let later = DataProtection(keys: fixture.users.keys, accounts: ProtectionFixture.Managed(names: []))
        try later.protectFile("file", in: fixture.files, for: fixture.users.ada)
        #expect(fixture.bytes == bytes)
        try later.unprotectFile("file", in: fixture.files, expecting: fixture.users.ada)
        #expect(fixture.bytes == [1, 2, 3])
    }
}
