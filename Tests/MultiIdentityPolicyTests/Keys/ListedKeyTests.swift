import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("Keys that are listed") struct KeysThatAreListed {
    private let folder: KeyFolder
    private let keys: KeyFile

    init() throws {
        folder = try KeyFolder()
        keys = try folder.open()
    }

    @Test("are those that were made and the last is current") func areThoseThatWereMadeAndTheLastIsCurrent() throws {
        #expect(try keys.listedKeys().isEmpty)
        let first = try keys.currentKey(for: Users.ada).id
        let other = try keys.currentKey(for: Users.bob).id
        let second = try keys.rotateKey(of: Users.ada)
        let expected = [
            ListedKey(id: first, owner: Users.ada, isCurrent: false),
            ListedKey(id: other, owner: Users.bob, isCurrent: true),
            ListedKey(id: second, owner: Users.ada, isCurrent: true),
        ]
        #expect(try keys.listedKeys() == expected)
        #expect(try folder.open().listedKeys() == expected)
    }
}
