import Dispatch
import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A key file with several users") struct AKeyFileThatSeveralUseAtOnce {
    let folder = KeyFolder()

    @Test("is under the master key that it was given last") func isUnderTheMasterKeyThatItWasGivenLast() throws {
        let keys = try folder.open(1)
        let ada = try keys.currentKey(for: Users.ada)
        for _ in 0..<10 {
            DispatchQueue.concurrentPerform(iterations: 4) { turn in
                for master in 0..<4 { try? keys.rotateMasterKey(to: KeyFolder.master(UInt8(2 + (turn + master) % 4))) }
            }
            #expect(KeyFolder.code { _ = try keys.currentKey(for: Users.ada) } == nil)
        }
        #expect(try KeyFolder.bytes(of: keys.currentKey(for: Users.ada)) == KeyFolder.bytes(of: ada))
    }
}

@Suite("A key with a name that may not be durable") struct AKeyWhoseNameMayNotLast {
    @Test("is durable once it is requested again", .rule("12.7"))
    func lastsFromWhenAnotherOneIsGivenIt() throws {
        let folder = KeyFolder()
        let recorder = try DiskRecorder(folder.folder.path)
        // At the very last call, which makes the file's name durable.
        let failing = recorder.faults(.failAll(fromCall: 7, with: EIO))
        #expect(
            KeyFolder.code { try failing.during { _ = try folder.open().currentKey(for: Users.ada) } } == .systemCall
        )
        #expect(failing.calls.suffix(2) == ["link", "fsync"])
        let id = try recorder.faults().during { try folder.open().currentKey(for: Users.ada).id }
        recorder.acknowledge()
        for cut in recorder.cuts() where cut.isAcknowledged {
            let (left, _) = try cut.restored()
            #expect(
                KeyFolder.code { _ = try KeyFolder.open(left / KeyFolder.name).key(id, of: Users.ada) } == nil,
                "\(cut)"
            )
        }
    }

    @Test("does not return once it is known to be destroyed, not even from leftovers", .rule("12.7"))
    func doesNotComeBackOnceItIsKnownToBeDestroyed() throws {
        let folder = KeyFolder()
        let id = try folder.open().currentKey(for: Users.ada).id
        // A change of another identity's keys that can neither rename nor remove the new file: Ada's key is in it.
        let failing = StorageFaults(.failAll(fromCall: 7, with: EIO))
        #expect(
            KeyFolder.code { try failing.during { _ = try folder.open().currentKey(for: Users.bob) } } == .systemCall
        )
        #expect(failing.calls.suffix(2) == ["rename", "unlink"])
        #expect(folder.folder.names.contains { AtomicReplacement.isTemporary($0) })
        let recorder = try DiskRecorder(folder.folder.path)
        try recorder.faults().during { try folder.open().destroyKeys(of: Users.ada) }
        recorder.acknowledge()
        for cut in recorder.cuts() where cut.isAcknowledged {
            let (left, _) = try cut.restored()
            #expect(left.names.sorted() == ["keys", "keys.lock"], "\(cut)")
            let code = KeyFolder.code { _ = try KeyFolder.open(left / KeyFolder.name).key(id, of: Users.ada) }
            #expect(code == .destroyedKey, "\(cut)")
        }
    }

    /// Makes a key while the very last call fails: the key is in the file, but a power cut may restore the old file.
    private func keysWithOneThatMayBeLost(_ folder: KeyFolder) throws -> KeyFile {
        let counting = StorageFaults()
        let other = KeyFolder()
        let others = try other.open()
        try counting.during { _ = try others.currentKey(for: Users.ada) }
        let keys = try folder.open()
        let last = counting.calls.count
        #expect(counting.calls.last == "fsync")
        #expect(
            KeyFolder.code {
                try StorageFaults(.fail(atCall: last, with: EIO)).during { _ = try keys.currentKey(for: Users.ada) }
            } == .systemCall
        )
        return keys
    }

    @Test("protects nothing before it is durable") func protectsNothingBeforeItLasts() throws {
        let folder = KeyFolder()
        let keys = try keysWithOneThatMayBeLost(folder)
        let failing = StorageFaults(.failAll(fromCall: 1, with: EIO))
        #expect(KeyFolder.code { try failing.during { _ = try keys.currentKey(for: Users.ada) } } == .systemCall)
        let counting = StorageFaults()
        try counting.during { _ = try keys.currentKey(for: Users.ada) }
        #expect(counting.calls == ["fsync"])
        try counting.during { _ = try keys.currentKey(for: Users.ada) }
        #expect(counting.calls == ["fsync"], "once is enough")
    }

    @Test("protects nothing in another process before it is durable")
    func protectsNothingInAnotherProcessBeforeItLasts() throws {
        let folder = KeyFolder()
        _ = try keysWithOneThatMayBeLost(folder)
        let failing = StorageFaults(.failAll(fromCall: 1, with: EIO))
        #expect(KeyFolder.code { try failing.during { _ = try folder.open() } } == .systemCall)
        #expect(KeyFolder.code { _ = try folder.open().currentKey(for: Users.ada) } == nil)
    }

    @Test("is read on a read-only file system", arguments: [EINVAL, EROFS])
    func isOnAFileSystemThatIsOnlyRead(_ code: Int32) throws {
        let folder = KeyFolder()
        _ = try folder.open().currentKey(for: Users.ada)
        let only = StorageFaults(.failAll(fromCall: 1, with: code))
        #expect(KeyFolder.code { try only.during { _ = try folder.open().currentKey(for: Users.ada) } } == nil)
    }
}
