import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

private let sharedFolder = ProcessInfo.processInfo.environment["MULTI_IDENTITY_PROTECTION_EXCHANGE"]

/// The Swift side of `.ci/check-protection-format`, which names the folder.
@Suite("Files of another program", .enabled(if: sharedFolder != nil, "only where .ci/check-protection-format runs it"))
struct FilesOfAnotherProgram {

    struct Everybody: ManagedIdentities {
        func isManaged(_ identity: Identity) -> Bool { !identity.name.hasSuffix("@example.com") }
    }

    @Test("are read") func areRead() throws {
        let folder = try #require(sharedFolder) + "/from-python"
        let keys = try KeyFile(at: folder + "/keys", masterKey: .fromFile(folder + "/master"))
        let protection = DataProtection(keys: keys, accounts: Everybody())
        let files = try IdentityFileSystem(root: folder, records: .attributes)
        let count = try #require(Int(Self.text(folder + "/count")))
        #expect(count > 100)
        for number in 0..<count {
            let path = folder + "/\(number)"
            let owner = try Identity(Self.text(path + ".owner"))
            let (sealed, text) = (FileFixture.read(path + ".protected"), FileFixture.read(path + ".plain"))
            #expect(try protection.unprotect(sealed, expecting: owner) == text)
            try protection.unprotectFile("\(number).protected", in: files, expecting: owner)
            #expect(FileFixture.read(path + ".protected") == text)
        }
    }

    @Test("are written") func areWritten() throws {
        let folder = try #require(sharedFolder) + "/from-swift"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        FileFixture.write(Array(String(repeating: "5a", count: 32).utf8), to: folder + "/master")
        chmod(folder + "/master", 0o600)
        let files = try IdentityFileSystem(root: folder, records: .attributes)
        let keys = try KeyFile(at: folder + "/keys", masterKey: .fromFile(folder + "/master"))
        _ = try keys.currentKey(for: Users.bob)
        try keys.destroyKeys(of: Users.bob)
        var count = 0
        for exponent: UInt8 in [12, 16, 20] {
            let size = try #require(SegmentSize(exponent: exponent))
            let protection = DataProtection(keys: keys, accounts: Everybody(), segmentSize: size)
            for owner in [Users.ada, Users.named("Ümit@contoso.com"), Users.eve] {
                for length in FileFixture.sizes {
                    let (path, text) = (folder + "/\(count)", ProtectionFixture.text(length))
                    FileFixture.write(text, to: path + ".plain")
                    FileFixture.write(Array(owner.name.utf8), to: path + ".owner")
                    if length % 2 == 0 {
                        FileFixture.write(text, to: path + ".protected")
                        try protection.protectFile("\(count).protected", in: files, for: owner)
                    } else {
                        FileFixture.write(try protection.protect(text, for: owner), to: path + ".protected")
                    }
                    count += 1
                }
            }
            try keys.rotateKey(of: Users.ada)
        }
        FileFixture.write(Array("\(count)".utf8), to: folder + "/count")
    }

    private static func text(_ path: String) -> String { String(decoding: FileFixture.read(path), as: UTF8.self) }
}
