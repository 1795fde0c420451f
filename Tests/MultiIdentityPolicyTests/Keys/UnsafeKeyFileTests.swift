import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("A key file that others could use", .timeLimit(.minutes(20))) struct AKeyFileThatOthersCouldUse {
    let folder = KeyFolder()

    init() throws { _ = try folder.open().currentKey(for: Users.ada) }

    private func code() -> ProtectionError.Code? { KeyFolder.code { _ = try folder.open() } }

    @Test("is refused for its mode", .rule("12.7"), arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o666])
    func isRefusedForItsMode(_ mode: UInt32) {
        chmod(folder.path, mode)
        #expect(code() == .unsafeFile)
        chmod(folder.path, 0o600)
        #expect(code() == nil)
    }

    @Test("is refused for its owner", .rule("12.7"), .enabled(if: geteuid() == 0)) func isRefusedForItsOwner() {
        chown(folder.path, 12_345, 0)
        #expect(code() == .unsafeFile)
    }

    @Test("is refused if it is a symbolic link", .rule("12.7")) func isRefusedWhereItIsASymbolicLink() throws {
        _ = rename(folder.path, folder.folder / "elsewhere")
        symlink("elsewhere", folder.path)
        #expect(code() == .unsafeFile)
    }

    @Test("is refused if it has a second name") func isRefusedWhereItHasASecondName() throws {
        link(folder.path, folder.folder / "second")
        #expect(code() == .unsafeFile)
    }

    @Test("is refused if it is a folder") func isRefusedWhereItIsAFolder() throws {
        unlink(folder.path)
        mkdir(folder.path, 0o700)
        #expect(code() == .unsafeFile)
    }

    @Test("is refused if it is a pipe without a writer")
    func isRefusedWhereItIsAPipeThatNobodyWritesTo() throws {
        unlink(folder.path)
        mkfifo(folder.path, 0o600)
        #expect(code() == .unsafeFile)
    }

    @Test("is refused for its folder's mode", arguments: [0o770, 0o707, 0o777])
    func isRefusedForItsFoldersMode(_ mode: UInt32) {
        chmod(folder.folder.path, mode)
        #expect(code() == .unsafeFile)
        chmod(folder.folder.path, mode | 0o1000)
        #expect(code() == nil, "a sticky folder, as /tmp, lets nobody replace another's file")
        chmod(folder.folder.path, 0o700)
    }

    @Test("is refused for its folder's owner", .enabled(if: geteuid() == 0)) func isRefusedForItsFoldersOwner() {
        chown(folder.folder.path, 12_345, 0)
        #expect(code() == .unsafeFile)
    }

    @Test("is refused if it becomes unsafe after it was read") func isRefusedOnceItBecomesOneAfterItWasRead() throws {
        let keys = try folder.open()
        _ = try keys.currentKey(for: Users.ada)
        chmod(folder.path, 0o644)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: Users.ada) } == .unsafeFile)
        chmod(folder.path, 0o600)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: Users.ada) } == nil)
    }

    @Test("is used in a folder that is reached by a symbolic link") func isUsedInAFolderThatIsALink() throws {
        symlink(folder.folder.path, folder.folder / "link")
        #expect(KeyFolder.code { _ = try KeyFolder.open(folder.folder / "link/keys") } == nil)
        chmod(folder.folder.path, 0o777)
        #expect(KeyFolder.code { _ = try KeyFolder.open(folder.folder / "link/keys") } == .unsafeFile)
        chmod(folder.folder.path, 0o700)
    }

    @Test("is not the file before a NUL in the path") func hasNoNULInItsPath() {
        #expect(KeyFolder.code { _ = try KeyFolder.open(folder.path + "\0.old") } == .systemCall)
        #expect(KeyFolder.code { _ = try MasterKey.fromFile(folder.path + "\0") } == .systemCall)
    }

    @Test("is refused if its folder does not exist") func isRefusedWhereThereIsNoSuchFolder() {
        #expect(KeyFolder.code { _ = try KeyFolder.open(folder.folder / "none/keys") } == .notFound)
    }
}
