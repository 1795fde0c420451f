import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

@Suite("A rewritten index") struct AnIndexThatIsWrittenAnew {
    private static let keys = (1...5).map { FileKey(device: 0, inode: $0, birthTime: nil) }

    /// Creates an index with two files of Ada's, then two of Bob's.
    private static func make(_ folder: TemporaryFolder) throws -> OwnerIndex {
        let index = try OwnerIndex(in: folder / "index")
        for (number, key) in keys.prefix(4).enumerated() {
            try index.record(.put(key, number < 2 ? .ada : .bob, RootedPath("\(number)")))
        }
        return index
    }

    private static func entries(of index: OwnerIndex) throws -> [FileKey: OwnerTable.Entry] {
        Dictionary(uniqueKeysWithValues: try index.entries.map { ($0.key, $0.value) })
    }

    private static func entry(_ owner: FileOwner, _ names: String...) -> OwnerTable.Entry {
        OwnerTable.Entry(owner: owner, names: names.map { RootedPath(known: $0) })
    }

    @Test("has what was recorded meanwhile, also after a restart")
    func hasWhatWasRecordedMeanwhile() throws {
        let folder = TemporaryFolder()
        let keys = Self.keys
        let expected = [
            keys[1]: Self.entry(.bob, "again"),
            keys[3]: Self.entry(.bob, "3", "other"),
            keys[4]: Self.entry(.bob, "new"),
        ]
        do {
            let index = try Self.make(folder)
            let meanwhile: [OwnerRecord] = [
                .put(keys[4], .bob, RootedPath(known: "new")), .forget(keys[2]),
                // The number of a removed file was reused for Bob's.
                .put(keys[1], .bob, RootedPath(known: "again")), .put(keys[3], .bob, RootedPath(known: "other")),
            ]
            try index.forget([keys[0], keys[1]], of: .ada) { count in
                if count == 1 { for record in meanwhile { index.recordIfPossible(record) } }
            }
            #expect(try Self.entries(of: index) == expected)
        }
        let index = try OwnerIndex(in: folder / "index")
        #expect(try Self.entries(of: index) == expected)
        #expect(index.damage.isEmpty)
        try index.compact()
        #expect(try Self.entries(of: index) == expected)
        let bytes = try #require(FileManager.default.contents(atPath: folder / "index/\(OwnerIndex.fileName)"))
        #expect(bytes.range(of: Data("ada@".utf8)) == nil)
    }

    @Test("is unchanged if a call fails, and has what is recorded from then on", arguments: [ENOSPC, EIO])
    func isAsItWasWhereACallFails(_ code: Int32) throws {
        let counting = StorageFaults()
        let first = TemporaryFolder()
        let index = try Self.make(first)
        try counting.during { try index.forget([Self.keys[0]], of: .ada) { _ in } }
        #expect(counting.calls.count > 4)
        for number in 1...counting.calls.count {
            let folder = TemporaryFolder()
            let left = [Self.keys[1]: Self.entry(.ada, "1"), Self.keys[3]: Self.entry(.bob, "3")]
            do {
                let index = try Self.make(folder)
                #expect(throws: RecordLogError.self) {
                    try StorageFaults(.fail(atCall: number, with: code)).during {
                        try index.forget([Self.keys[0]], of: .ada) { _ in }
                    }
                }
                #expect(try index.entry(Self.keys[0]) == Self.entry(.ada, "0"))
                try index.record(.forget(Self.keys[2]))
                try index.forget([Self.keys[0]], of: .ada) { _ in }
                #expect(try Self.entries(of: index) == left)
            }
            #expect(try Self.entries(of: OwnerIndex(in: folder / "index")) == left)
        }
    }
}
