import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("A destroyed key", .rule("12.7")) struct KeysThatAreDestroyed {
    let folder = KeyFolder()
    let keys: KeyFile

    init() throws { keys = try folder.open() }

    @Test("is removed from the file along with its identity's name")
    func areGoneFromTheFileWithTheNameThatTheyWereOf() throws {
        let bob = try keys.currentKey(for: Users.bob)
        _ = try keys.currentKey(for: Users.ada)
        try keys.rotateKey(of: Users.ada)
        let wrapped = try KeyFileFixture.contents(folder.bytes).entries.filter { $0.owner == Users.ada }.map(\.wrapped)
        #expect(wrapped.count == 2 && folder.bytes.contains(Array(Users.ada.name.utf8)))
        try keys.destroyKeys(of: Users.named("ADA@contoso.com"))
        #expect(!folder.bytes.contains(Array(Users.ada.name.utf8)))
        for wrapped in wrapped { #expect(!folder.bytes.contains(wrapped)) }
        #expect(try keys.currentKey(for: Users.bob).id == bob.id)
    }

    @Test("is known to be destroyed after a restart too")
    func areKnownToHaveBeenDestroyedAfterARestartToo() throws {
        let id = try keys.currentKey(for: Users.ada).id
        try keys.destroyKeys(of: Users.ada)
        for keys in [keys, try folder.open()] {
            #expect(KeyFolder.code { _ = try keys.key(id, of: Users.ada) } == .destroyedKey)
        }
        #expect(try keys.currentKey(for: Users.ada).id != id)
    }

    @Test("is no longer in memory") func areHeldInMemoryNoLonger() throws {
        _ = try keys.currentKey(for: Users.ada)
        weak let key = try keys.currentKey(for: Users.ada)
        #expect(key != nil)
        try keys.destroyKeys(of: Users.ada)
        #expect(key == nil)
    }

    @Test("is overwritten in memory") func areOverwrittenInMemory() throws {
        let left = Locked<[UInt8]>([])
        do {
            let secret = SecretBytes(
                count: 32,
                givingBack: { memory in
                    left.withLock { $0 = Array(memory) }
                    memory.deallocate()
                },
                filledBy: { $0.copyBytes(from: [UInt8](repeating: 7, count: 32)) }
            )
            #expect(secret.withBytes { $0.allSatisfy { $0 == 7 } })
        }
        #expect(left.withLock { $0 } == [UInt8](repeating: 0, count: 32))
    }

    @Test("is removed from what interrupted changes left") func areGoneFromWhatInterruptedChangesLeft() throws {
        _ = try keys.currentKey(for: Users.ada)
        let left = ".multi-identity-0123456789abcdef.tmp"
        folder.folder.write(String(repeating: "A", count: 100), to: left)
        folder.folder.write("somebody's", to: "multi-identity.tmp")
        try keys.destroyKeys(of: Users.ada)
        #expect(folder.folder.names == ["keys", "keys.lock", "multi-identity.tmp"])
    }

    @Test("does not exist if the identity has none") func areNoneWhereTheIdentityHasNone() throws {
        try keys.destroyKeys(of: Users.ada)
        _ = try keys.currentKey(for: Users.bob)
        let bytes = folder.bytes
        try keys.destroyKeys(of: Users.ada)
        #expect(folder.bytes == bytes)
    }
}

extension [UInt8] {
    /// Returns whether these bytes occur in sequence.
    fileprivate func contains(_ part: [UInt8]) -> Bool { indices.contains { self[$0...].starts(with: part) } }
}
