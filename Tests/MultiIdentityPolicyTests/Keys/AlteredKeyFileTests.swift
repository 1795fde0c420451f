import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@testable import MultiIdentityProtection

@Suite("An altered key file") struct AKeyFileThatWasAltered {
    let folder = KeyFolder()
    let keys: KeyFile

    init() throws {
        keys = try folder.open()
        _ = try keys.currentKey(for: Users.ada)
        _ = try keys.currentKey(for: Users.bob)
    }

    private func code(_ master: UInt8 = 1) -> ProtectionError.Code? { KeyFolder.code { _ = try folder.open(master) } }

    @Test("is refused whichever bit was flipped", .rule("12.7")) func isRefusedWhicheverBitWasFlipped() {
        let bytes = folder.bytes
        for index in bytes.indices {
            for bit in [0, 3, 7] {
                var altered = bytes
                altered[index] ^= 1 << bit
                folder.bytes = altered
                let codes: [ProtectionError.Code] =
                    switch index {
                    case 8: [.futureVersion, .damaged]
                    case 17..<65: [.wrongMasterKey]
                    default: [.damaged]
                    }
                #expect(code().map(codes.contains) == true, "bit \(bit) of byte \(index)")
            }
        }
        folder.bytes = bytes
        #expect(code() == nil)
    }

    @Test("is refused wherever it was truncated, and if bytes were added")
    func isRefusedWhereverItWasCutOffAndWhereBytesWereAdded() {
        let bytes = folder.bytes
        for count in bytes.indices {
            folder.bytes = Array(bytes.prefix(count))
            #expect(code() == .damaged, "\(count) bytes")
        }
        folder.bytes = bytes + [0]
        #expect(code() == .damaged)
    }

    @Test("is refused under another master key", .rule("12.7")) func isRefusedUnderAnotherMasterKey() {
        #expect(code(2) == .wrongMasterKey)
    }

    @Test("is refused if it was combined from two") func isRefusedWhereItWasPutTogetherFromTwo() throws {
        let one = folder.bytes
        try keys.rotateKey(of: Users.ada)
        let other = folder.bytes
        folder.bytes = Array(one.prefix(73)) + other.dropFirst(73)
        #expect(code() == .damaged)
    }

    @Test("is refused if it is older than the one that was read", .rule("12.7"))
    func isRefusedOnceItIsOlderThanTheOneThatWasRead() throws {
        let old = folder.bytes
        try keys.destroyKeys(of: Users.ada)
        try replace(with: old)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: Users.bob) } == .rolledBack)
        #expect(KeyFolder.code { try keys.destroyKeys(of: Users.bob) } == .rolledBack)
        #expect(folder.bytes == old, "and is left as it is")
    }

    @Test("is refused if it is another one of the same age") func isRefusedOnceItIsAnotherOneOfTheSameAge() throws {
        let other = KeyFolder()
        let others = try other.open()
        _ = try others.currentKey(for: Users.ada)
        _ = try others.currentKey(for: Users.bob)
        try replace(with: other.bytes)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: Users.bob) } == .rolledBack)
    }

    @Test("is refused once it is removed") func isRefusedOnceItIsGone() throws {
        unlink(folder.path)
        #expect(KeyFolder.code { _ = try keys.currentKey(for: Users.bob) } == .rolledBack)
        #expect(folder.folder.names == ["keys.lock"], "no other key is made in its place")
    }

    @Test("has no entry that is valid for another's key") func hasNoEntryThatStandsForAnothersKey() throws {
        let entries = try KeyFileFixture.contents(folder.bytes).entries
        let (ada, bob) = (entries[0], entries[1])
        let master = try KeyFolder.master()
        for (id, owner) in [(ada.id, bob.owner), (bob.id, ada.owner)] {
            let moved = KeyFileEntry(id: id, owner: owner, salt: ada.salt, wrapped: ada.wrapped)
            #expect(try moved.unwrapped(with: master) == nil)
        }
        #expect(try ada.unwrapped(with: master) != nil && ada.unwrapped(with: KeyFolder.master(2)) == nil)
        // Also in an authentic file, as someone with the master key could write it.
        let moved = KeyFileEntry(id: bob.id, owner: bob.owner, salt: ada.salt, wrapped: ada.wrapped)
        let contents = KeyFileContents(generation: 1, entries: [moved], destroyed: [])
        folder.bytes = try KeyFileFormat.bytes(of: contents, with: master)
        #expect(KeyFolder.code { _ = try folder.open().currentKey(for: Users.bob) } == .damaged)
    }

    @Test("can no longer be changed at the last generation") func isNotChangedInTheLastGeneration() throws {
        let (entries, master) = (try KeyFileFixture.contents(folder.bytes).entries, try KeyFolder.master())
        let last = KeyFileContents(generation: .max, entries: entries, destroyed: [])
        folder.bytes = try KeyFileFormat.bytes(of: last, with: master)
        let keys = try folder.open()
        _ = try keys.currentKey(for: entries[0].owner)
        let carol = try Identity("carol@contoso.com")
        for change in [{ _ = try keys.currentKey(for: carol) }, { _ = try keys.destroyKeys(of: entries[0].owner) }] {
            #expect(KeyFolder.code(change) == .damaged)
        }
        #expect(try KeyFileFixture.contents(folder.bytes).generation == .max)
    }

    @Test(
        "is refused if it is authentic but its counts are not",
        arguments: [
            [UInt8](repeating: 0, count: 8), Array(repeating: 0xFF, count: 8), [0, 0, 0, 3, 0, 0, 0, 0],
            [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0, 0, 1],
        ]
    )
    func isRefusedWhereItIsAuthenticAndItsCountsAreNot(_ counts: [UInt8]) throws {
        var bytes = Array(folder.bytes.dropLast(KeyFileFormat.tagLength))
        bytes.replaceSubrange(65..<73, with: counts)
        #expect(throws: ByteError.self) { try KeyFileFormat.contents(of: bytes) }
    }

    private func replace(with bytes: [UInt8]) throws {
        let other = folder.folder / "other"
        _ = FileManager.default.createFile(
            atPath: other,
            contents: Data(bytes),
            attributes: [.posixPermissions: 0o600]
        )
        _ = rename(other, folder.path)
    }
}
