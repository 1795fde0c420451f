import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A revoked identity", .rule("13.2"), .timeLimit(.minutes(20))) struct AnIdentityThatIsRevoked {
    let folder = KeyFolder()
    let keys: KeyFile
    /// A user of this test only: a revocation applies to the whole process.
    let user: Identity
    let protection: DataProtection

    init() throws {
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

    @Test("can protect nothing new, but its data is still read") func hasNothingProtectedForItAndItsDataRead() throws {
        let sealed = try protection.protect([1, 2, 3], for: user)
        let documents = TemporaryFolder()
        documents.write("text", to: "file")
        let files = try IdentityFileSystem(root: documents.path, records: .attributes)
        IdentityRevocation.revoke(user, for: .wiped)
        #expect(FileFixture.code { _ = try protection.protect([1], for: user) } == .revoked)
        #expect(FileFixture.code { _ = try protection.protectingStream(for: user) } == .revoked)
        #expect(FileFixture.code { try protection.protectFile("file", in: files, for: user) } == .revoked)
        #expect(documents.text(of: "file") == "text")
        #expect(try protection.unprotect(sealed, expecting: user) == [1, 2, 3])
        let unmanaged = DataProtection(keys: keys, accounts: ProtectionFixture.Managed(names: []))
        #expect(FileFixture.code { _ = try unmanaged.protect([1], for: user) } == .revoked)
    }

    @Test("has its keys destroyed, and none made afterwards") func hasItsKeysDestroyedAndNoneMadeBehindThat() throws {
        let id = try keys.currentKey(for: user).id
        IdentityRevocation.revoke(user, for: .wiped)
        try keys.destroyKeys(of: user)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: user) } == .revoked)
        #expect(KeyFolder.code { _ = try keys.key(id, of: user) } == .destroyedKey)
        #expect(try KeyFileFixture.contents(folder.bytes).entries.isEmpty)
    }

    #if os(Linux)
    @Test("gets no key if it is revoked while it waits for another process")
    func getsNoKeyWhereItIsRevokedWhileItWaitsForAnotherProcess() async throws {
        let directory = try OpenFile.open(folder.folder.path, .directory)
        let lock = try KeyFileLock(besides: KeyFolder.name, in: directory, limit: 0)
        // However long this test waits for its turn, the wait for the lock does not give up.
        let (keys, user) = (try KeyFolder.open(folder.path, lockLimit: .max), user)
        let opening = try Opening(of: folder.path + ".lock")
        let code = AsyncStream<ProtectionError.Code?>.makeStream()
        Thread { code.continuation.yield(KeyFolder.code { _ = try keys.currentKey(for: user) }) }.start()
        // Admitted, and about to wait for the lock.
        await opening.wait()
        IdentityRevocation.revoke(user, for: .wiped)
        withExtendedLifetime(consume lock) {}
        var codes = code.stream.makeAsyncIterator()
        #expect(await codes.next() == .revoked)
        #expect(folder.bytes.isEmpty)
    }

    /// Reports when a file is opened, with inotify(7).
    private struct Opening: ~Copyable {
        private let events: OpenFile

        init(of path: String) throws {
            events = OpenFile(taking: inotify_init1(Int32(IN_CLOEXEC)), path: "inotify")
            try #require(inotify_add_watch(events.descriptor, path, UInt32(IN_OPEN)) >= 0)
        }

        borrowing func wait() async {
            let descriptor = events.descriptor
            await withCheckedContinuation { continuation in
                Thread {
                    var event = [UInt8](repeating: 0, count: 64)
                    _ = read(descriptor, &event, event.count)
                    continuation.resume()
                }.start()
            }
        }
    }
    #endif
}
