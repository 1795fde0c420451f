import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A key file", .rule("12.7")) struct AKeyFile {
    let folder = KeyFolder()
    let keys: KeyFile

    init() throws { keys = try folder.open() }

    @Test("is written with its first key and is private to its user")
    func isWrittenWithItsFirstKeyAndIsForItsUserAlone() throws {
        #expect(folder.folder.names.isEmpty)
        _ = try keys.currentKey(for: Users.ada)
        #expect(folder.folder.names == ["keys", "keys.lock"])
        for name in folder.folder.names {
            let status = try OpenFile.open(folder.folder / name, .reading).status()
            #expect(status.permissions == 0o600 && status.user == geteuid())
        }
    }

    @Test("gives the same key until it is rotated") func givesTheSameKeyUntilItIsRotated() throws {
        let id = try keys.currentKey(for: Users.ada).id
        let key = try keys.currentKey(for: Users.ada)
        #expect(key.id == id)
        #expect(try keys.currentKey(for: Users.ada) === key, "it is unwrapped once")
        #expect(try keys.currentKey(for: Users.named("ADA@Contoso.com")) === key)
        let later = try keys.rotateKey(of: Users.ada)
        #expect(try keys.currentKey(for: Users.ada).id == later)
        #expect(try keys.key(key.id, of: Users.ada).id == key.id)
    }

    @Test("gives each identity its own key") func givesEachIdentityItsOwn() throws {
        let (ada, bob) = (try keys.currentKey(for: Users.ada), try keys.currentKey(for: Users.bob))
        #expect(ada.id != bob.id && KeyFolder.bytes(of: ada) != KeyFolder.bytes(of: bob))
        #expect(KeyFolder.code { _ = try keys.key(ada.id, of: Users.bob) } == .unknownKey)
        #expect(KeyFolder.code { _ = try keys.key(IdentityKeyID.random(), of: Users.ada) } == .unknownKey)
    }

    @Test("contains no key that can be read without the master key")
    func holdsNoKeyThatCouldBeReadWithoutTheMasterKey() throws {
        let key = KeyFolder.bytes(of: try keys.currentKey(for: Users.ada))
        #expect(!folder.bytes.contains(key) && !folder.bytes.contains(Array(repeating: 1, count: 16)))
    }

    @Test("has no keys for nobody") func hasNoKeysForNobody() {
        #expect(KeyFolder.code { _ = try keys.currentKey(for: .nobody) } == .nobody)
        #expect(KeyFolder.code { try keys.rotateKey(of: .nobody) } == .nobody)
        #expect(folder.folder.names.isEmpty)
    }

    @Test("prints nothing but its path") func printsNothingButItsPath() throws {
        let key = try keys.currentKey(for: Users.ada)
        var dumped = ""
        dump(keys, to: &dumped)
        dump(try KeyFolder.master(), to: &dumped)
        dumped += "\(keys) \(String(reflecting: keys)) \(try KeyFolder.master())"
        #expect(dumped.contains(folder.path))
        #expect(!dumped.contains(Users.ada.name) && !dumped.contains(key.id.description) && !dumped.contains("1, 1"))
    }

    @Test("has a first key that stays while there is one, and another after a new beginning")
    func hasAFirstKeyThatStaysWhileThereIsOneAndIsAnotherForWhoeverBeginsAnew() throws {
        #expect(try keys.firstKeyID(of: Users.ada) == nil)
        let first = try keys.currentKey(for: Users.ada).id
        try keys.rotateKey(of: Users.ada)
        try keys.rotateMasterKey(to: KeyFolder.master(2))
        for keys in [keys, try folder.open(2)] {
            #expect(try keys.firstKeyID(of: Users.named("ADA@contoso.com")) == first)
        }
        try keys.destroyKeys(of: Users.ada)
        #expect(try keys.firstKeyID(of: Users.ada) == nil)
        let second = try keys.currentKey(for: Users.ada).id
        #expect(second != first)
        #expect(try keys.firstKeyID(of: Users.ada) == second)
    }

    @Test("is read again once another process has changed it") func isReadAgainOnceAnotherHasChangedIt() throws {
        let other = try folder.open()
        let key = try keys.currentKey(for: Users.ada)
        #expect(try other.currentKey(for: Users.ada).id == key.id)
        let id = try other.rotateKey(of: Users.ada)
        #expect(try keys.currentKey(for: Users.ada).id == id)
        try other.destroyKeys(of: Users.ada)
        #expect(KeyFolder.code { _ = try keys.key(id, of: Users.ada) } == .destroyedKey)
    }

    @Test("makes one key for many that ask at once") func makesOneKeyForManyThatAskAtOnce() async throws {
        let path = folder.path
        let ids = try await withThrowingTaskGroup(of: IdentityKeyID.self) { group in
            for _ in 0..<16 {
                // Each one as a separate process would open it.
                group.addTask { try KeyFolder.open(path).currentKey(for: Users.ada).id }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test("loses no key when many change it at once") func losesNoKeyWhereManyChangeItAtOnce() async throws {
        let path = folder.path
        let users = (0..<8).map { Users.named("user\($0)@contoso.com") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users {
                group.addTask {
                    let keys = try KeyFolder.open(path)
                    for _ in 0..<4 { try keys.rotateKey(of: user) }
                }
            }
            try await group.waitForAll()
        }
        let found = try folder.open()
        for user in users { _ = try found.currentKey(for: user) }
        let entries = try KeyFileFixture.contents(folder.bytes).entries
        #expect(entries.count == 32)
        #expect(Set(entries.map(\.id)).count == 32)
    }

    @Test("reports that another process has locked it for too long")
    func saysThatItIsLockedByAnotherProcessForTooLong() throws {
        let folderFile = try OpenFile.open(folder.folder.path, .directory)
        let lock = try KeyFileLock(besides: KeyFolder.name, in: folderFile, limit: 0)
        let impatient = try KeyFolder.open(folder.path, lockLimit: 3)
        #expect(KeyFolder.code { _ = try impatient.currentKey(for: Users.ada) } == .keyUnavailable)
        withExtendedLifetime(lock) {}
    }

    @Test("lists the keys, with an identity's current one last") func listsTheKeys() throws {
        #expect(try keys.keyIDs().isEmpty)
        let first = try keys.currentKey(for: Users.ada).id
        let other = try keys.currentKey(for: Users.bob).id
        let second = try keys.rotateKey(of: Users.ada)
        let expected = [Users.ada: [first, second], Users.bob: [other]]
        #expect(try keys.keyIDs() == expected)
        #expect(try folder.open().keyIDs() == expected)
    }
}
