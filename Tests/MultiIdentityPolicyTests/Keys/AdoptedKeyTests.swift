import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@testable import MultiIdentityProtection

@Suite("Keys of a name that is another one of an account now", .rule("15.12")) struct AdoptedKeyTests {
    private let account = Users.named("ada-\(UUID())@new.example")
    private let name = Users.named("Ada-\(UUID())@old.example")
    private let names = AccountNames()
    private let master: MasterKey
    private let folder = TemporaryFolder()

    init() throws { master = try MasterKey(Array(0..<32)) }

    private func keys() throws -> KeyFile { try KeyFile(at: folder / "keys", masterKey: master) }

    private func protection(_ keys: KeyFile) -> DataProtection {
        let policies = PolicyFeed(PolicySet([account: .nothing, name: .nothing]))
        return DataProtection(
            keys: keys,
            accounts: Accounts(mode: .multi, policies: policies, levels: IdentityLevels())
        )
    }

    @Test("are the account's once they were adopted, and what they protected is hers; not before")
    func areTheAccounts() throws {
        let keys = try keys()
        let sealed = try protection(keys).protect([1, 2], for: name)
        let own = try keys.currentKey(for: account)
        names.add(name, to: account)
        expect(throws: DataProtectionError.Code.otherOwner) {
            try protection(keys).unprotect(sealed, expecting: account)
        }
        #expect(try protection(keys).unprotect(sealed, expecting: name) == [1, 2], "it is not lost")
        try keys.adopt([name: account])
        try keys.adopt([name: account])
        for keys in [keys, try self.keys()] {
            #expect(try keys.keyCount(of: account) == 2 && !keys.hasKeys(of: name))
            #expect(try keys.currentKey(for: account).id == own.id, "new data are protected as before")
            #expect(try protection(keys).unprotect(sealed, expecting: account) == [1, 2])
            #expect(try protection(keys).protectionInfo(sealed)?.owner == account)
        }
        try keys.rotateMasterKey(to: MasterKey([UInt8](repeating: 8, count: 32)))
    }

    @Test("open again where an earlier version listed them under the account") func openAgain() throws {
        let key = try IdentityKey.random()
        let wrapped = try KeyFileEntry(key, of: name, with: master)
        let listed = KeyFileEntry(id: key.id, owner: account, salt: wrapped.salt, wrapped: wrapped.wrapped)
        let file = try KeyFileFormat.bytes(of: KeyFileContents().adding(listed), with: master)
        try Data(file).write(to: URL(filePath: folder / "keys"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder / "keys")
        let keys = try keys()
        #expect(throws: IdentityKeyError.self) { try keys.currentKey(for: account) }
        // As a program has the name, and not as it was spelled then.
        try keys.adopt([name: account])
        #expect(try keys.currentKey(for: account).id == key.id)
    }
}
