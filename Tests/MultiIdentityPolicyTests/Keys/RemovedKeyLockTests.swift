import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("A key file with a lock that others can reach", .rule("12.7")) struct AKeyFileWhoseLockOthersCanReach {
    let folder = KeyFolder()
    private var lock: String { folder.path + ".lock" }

    @Test("is changed by one process at a time even if its lock is removed") func isChangedByOneAtATime() throws {
        let keys = try folder.open()
        _ = try keys.currentKey(for: Users.ada)
        try keys.change { (latest) throws(ProtectionError) in
            unlink(lock)
            // As another process does meanwhile.
            let code = KeyFolder.code {
                _ = try KeyFolder.open(folder.path, lockLimit: 3).currentKey(for: Users.bob)
            }
            #expect(code == .keyUnavailable)
            return latest.contents.destroying(Users.ada)
        }
        #expect(try KeyFileFixture.contents(folder.bytes).entries.isEmpty)
        #expect(KeyFolder.code { _ = try folder.open().currentKey(for: Users.bob) } == nil)
    }

    @Test("keeps the keys that another process started it with") func keepsTheKeysThatAnotherOneBeganItWith() throws {
        let keys = try folder.open()
        try keys.change { (latest) throws(ProtectionError) in
            if !latest.exists {
                unlink(lock)
                #expect(KeyFolder.code { _ = try folder.open().currentKey(for: Users.bob) } == nil)
            }
            return try latest.adding(.random(), of: Users.ada)
        }
        let owners = try KeyFileFixture.contents(folder.bytes).entries.map(\.owner)
        #expect(Set(owners) == [Users.ada, Users.bob] && owners.count == 2)
    }

    @Test("is not changed under another user's lock", .enabled(if: geteuid() == 0, "only root can give a file away"))
    func isNotChangedUnderAnotherUsersLock() throws {
        _ = FileManager.default.createFile(atPath: lock, contents: nil, attributes: [.posixPermissions: 0o600])
        chown(lock, 12_345, 0)
        #expect(KeyFolder.code { _ = try folder.open().currentKey(for: Users.ada) } == .unsafeFile)
        #expect(folder.bytes.isEmpty)
        chown(lock, geteuid(), 0)
        #expect(KeyFolder.code { _ = try folder.open().currentKey(for: Users.ada) } == nil)
    }

    @Test("is not changed under a lock that others could take", arguments: [0o644, 0o660, 0o602])
    func isNotChangedUnderALockThatOthersCouldHold(_ mode: UInt32) throws {
        let keys = try folder.open()
        _ = try keys.currentKey(for: Users.ada)
        chmod(lock, mode)
        #expect(KeyFolder.code { try keys.rotateKey(of: Users.ada) } == .unsafeFile)
        chmod(lock, 0o600)
        #expect(KeyFolder.code { try keys.rotateKey(of: Users.ada) } == nil)
    }
}
