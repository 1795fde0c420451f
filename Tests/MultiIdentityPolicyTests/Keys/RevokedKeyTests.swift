import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityPolicy

@Suite("An identity that is revoked") struct AnIdentityThatIsRevoked {
    let folder: KeyFolder
    let keys: KeyFile
    /// Nobody else's, since revocation is the process's.
    let user: Identity
    let protection: DataProtection

    init() throws {
        folder = try KeyFolder()
        keys = try folder.open()
        user = try Identity("revoked-\(UUID().uuidString)@contoso.com")
        protection = DataProtection(keys: keys, accounts: ProtectionFixture.Managed(names: [user]))
    }

    @Test("gets no key to protect with") func getsNoKeyToProtectWith() throws {
        let id = try keys.currentKey(for: user).id
        IdentityRevocation.revoke(user, for: .signedOut)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: user) } == .revoked)
        #expect(KeyFolder.code { try keys.rotateKey(of: user) } == .revoked)
        #expect(try keys.key(id, of: user).id == id, "what there is can be read")
        IdentityRevocation.readmit(user)
        #expect(try keys.currentKey(for: user).id == id)
    }

    @Test("has nothing protected for it and its data read") func hasNothingProtectedForItAndItsDataRead() throws {
        let sealed = try protection.protect([1, 2, 3], for: user)
        let path = folder.folder.write("text", to: "file")
        IdentityRevocation.revoke(user, for: .wiped)
        #expect(FileFixture.code { _ = try protection.protect([1], for: user) } == .revoked)
        #expect(FileFixture.code { _ = try protection.protectingStream(for: user) } == .revoked)
        #expect(FileFixture.code { try protection.protectFile(path, for: user) } == .revoked)
        #expect(folder.folder.text(of: "file") == "text")
        #expect(try protection.unprotect(sealed, expecting: user) == [1, 2, 3])
        let unmanaged = DataProtection(keys: keys, accounts: ProtectionFixture.Managed(names: []))
        #expect(FileFixture.code { _ = try unmanaged.protect([1], for: user) } == .revoked)
    }

    @Test("has its keys destroyed and none made behind that") func hasItsKeysDestroyedAndNoneMadeBehindThat() throws {
        let id = try keys.currentKey(for: user).id
        IdentityRevocation.revoke(user, for: .wiped)
        try keys.destroyKeys(of: user)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: user) } == .revoked)
        #expect(KeyFolder.code { _ = try keys.key(id, of: user) } == .destroyedKey)
        #expect(try KeyFileFixture.contents(folder.bytes).entries.isEmpty)
    }

    #if os(Linux)
    @Test("gets no key where it is revoked while it waits for another process", .timeLimit(.minutes(1)))
    func getsNoKeyWhereItIsRevokedWhileItWaitsForAnotherProcess() async throws {
        let directory = try OpenFile.open(folder.folder.path, .directory)
        let lock = try KeyFileLock(besides: KeyFolder.name, in: directory, limit: 0)
        let (keys, user) = (keys, user)
        let code = AsyncStream<IdentityKeyError.Code?>.makeStream()
        Thread { code.continuation.yield(KeyFolder.code { _ = try keys.currentKey(for: user) }) }.start()
        // Admitted, and waiting for the lock: it has the file open too.
        let path = folder.path + ".lock"
        while Self.descriptors(of: path) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        IdentityRevocation.revoke(user, for: .wiped)
        withExtendedLifetime(consume lock) {}
        var codes = code.stream.makeAsyncIterator()
        #expect(await codes.next() == .revoked)
        #expect(folder.bytes.isEmpty)
    }

    private static func descriptors(of path: String) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
    }
    #endif
}
