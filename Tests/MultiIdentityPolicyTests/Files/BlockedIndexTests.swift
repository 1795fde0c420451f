import Foundation
import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityFiles

/// The contents of an index in either format: in blocks, and as single records after them.
@Suite("An index in blocks") struct AnIndexInBlocks {
    let folder = TemporaryFolder()

    private func open() throws -> OwnerIndex { try OwnerIndex(in: folder / "index") }

    private var log: String { folder / "index/\(OwnerIndex.fileName)" }

    private static func entries(_ entries: OwnerEntries) -> [FileKey: OwnerTable.Entry] {
        Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
    }

    private static func key(_ number: UInt64) -> FileKey {
        FileKey(device: number % 3, inode: number, birthTime: number % 5 == 0 ? nil : Int64(number) - 20)
    }

    /// Rewrites the log, whatever it contains.
    private func rewrite(_ index: OwnerIndex) throws {
        let stale = Self.key(999_999)
        try index.record(.put(stale, .nobody, RootedPath(known: "stale")))
        try index.forget([stale], of: .nobody) { _ in }
    }

    /// Returns a random change to one of about 60 files in some folders.
    private static func change(_ random: inout SeededGenerator) -> OwnerRecord {
        let key = key(random.next() % 60)
        let folders = ["a", "b", "a/c", "ä", "ab"]
        let folder = folders[Int(random.next() % 5)]
        let path = RootedPath(known: "\(folder)/\(random.next() % 60)")
        switch random.next() % 20 {
        case 0: return .alias(RootedPath(known: folder), RootedPath(known: folders[Int(random.next() % 5)]))
        case 1: return .drop(RootedPath(known: folder))
        case 2...4: return .forget(key)
        case 5...6: return .unname(key, path)
        default: return .put(key, [.ada, .bob, .unset, .nobody][Int(random.next() % 4)], path)
        }
    }

    @Test(
        "knows what an index of single records knows, whenever it was rewritten and reopened",
        .rule("11.4"),
        arguments: [1, 2, 3, 4, 5] as [UInt64]
    )
    func knowsWhatOneOfSingleRecordsKnows(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var known = OwnerTable()
        var index = try open()
        for step in 0..<300 {
            let change = Self.change(&random)
            if known.knows(whatIsTakenBackBy: change) { known.apply(change) }
            try index.record(change)
            switch random.next() % 20 {
            case 0: try rewrite(index)
            case 1: index = try open()
            default: break
            }
            guard step % 10 == 0 else { continue }
            let found = try index.entries
            #expect(Self.entries(found) == Self.entries(known.entries), "seed \(seed), step \(step)")
            #expect(found.map(\.key) == found.map(\.key).sorted(), "seed \(seed), step \(step)")
            for owner in [FileOwner.ada, .bob, .nobody, .unset] {
                #expect(found.of(owner) == known.entries.of(owner), "seed \(seed), step \(step)")
            }
            for number in 0..<61 as Range<UInt64> {
                let key = Self.key(number)
                #expect(try index.entry(key) == known.entries[key], "seed \(seed), step \(step)")
                let (owner, expected) = (found.owner(key), known.entries[key])
                #expect(owner?.owner == expected?.owner, "seed \(seed), step \(step)")
            }
        }
    }

    @Test("keeps uncertain owners, names of all kinds, and files without one") func keepsAllKinds() throws {
        let names = ["ä/π", "a", "a/b"].map { RootedPath(known: $0) }
        let keys = (1...4).map { Self.key($0) }
        do {
            let index = try open()
            for name in names { try index.record(.put(keys[0], .ada, name)) }
            try index.record(.put(keys[1], .bob, names[1], isUncertain: true))
            try index.record(.put(keys[2], .unset, names[0]))
            try index.record(.unname(keys[2], names[0]))
            try rewrite(index)
        }
        let index = try open()
        let expected = [
            keys[0]: OwnerTable.Entry(owner: .ada, names: names),
            keys[1]: OwnerTable.Entry(owner: .bob, names: [names[1]], isUncertain: true),
            keys[2]: OwnerTable.Entry(owner: .unset, names: []),
        ]
        #expect(try Self.entries(index.entries) == expected)
        #expect(index.hasDoubts)
        #expect(fileErrorCode { _ = try index.owner(keys[1], at: names[1]) } == .damagedOwner)
        try index.record(.forget(keys[1]))
        #expect(!index.hasDoubts)
    }

    @Test("has a file with more names than fit into one record") func hasAFileWithMoreNames() throws {
        let names = (0..<10).map { RootedPath(known: "\(String(repeating: "n", count: 60_000))/\($0)") }
        do {
            let index = try open()
            for name in names { try index.record(.put(Self.key(1), .ada, name)) }
            for number in 2...3 as ClosedRange<UInt64> { try index.record(.put(Self.key(number), .bob, names[0])) }
            try rewrite(index)
        }
        let index = try open()
        #expect(try index.entry(Self.key(1)) == OwnerTable.Entry(owner: .ada, names: names))
        #expect(try index.entry(Self.key(2))?.owner == .bob && index.entry(Self.key(3))?.owner == .bob)
    }

    @Test("gives no file to another owner, and reports the damage, whichever byte is flipped", .rule("11.4"))
    func saysThatItWasDamaged() throws {
        do {
            let index = try open()
            for number in 1...400 as ClosedRange<UInt64> {
                let owner: FileOwner = number % 2 == 0 ? .ada : .bob
                try index.record(.put(Self.key(number), owner, RootedPath(known: "folder/\(number)")))
            }
            try rewrite(index)
        }
        let whole = try ALogOfRecords.bytes(log)
        #expect(whole.count > 2 * 8_192)
        for offset in stride(from: 16, to: whole.count, by: 211) {
            try ALogOfRecords.tamper(log) {
                $0 = whole
                $0[offset] ^= 1 << UInt8(offset % 8)
            }
            let index = try open()
            #expect(index.hasLosses, "offset \(offset)")
            for number in 1...400 as ClosedRange<UInt64> {
                let key = Self.key(number)
                guard let entry = try index.entry(key), !entry.isUncertain else { continue }
                #expect(entry.owner == (number % 2 == 0 ? .ada : .bob), "offset \(offset)")
                #expect(entry.names == [RootedPath(known: "folder/\(number)")], "offset \(offset)")
            }
        }
    }

    @Test("refuses an invalid block, even if its checksum is right") func refusesWhatIsNoBlock() throws {
        var writer = OwnerBlockWriter()
        for number in 1...3 as ClosedRange<UInt64> {
            writer.add(
                FileKey(device: 0, inode: number, birthTime: 7),
                .init(owner: .ada, names: [RootedPath(known: "a")])
            )
        }
        let taken = writer.take()
        let bytes = try #require(taken?.bytes)
        let rest = writer.take()
        #expect(rest == nil)
        var read = OwnersRead()
        #expect(try OwnerBlock(bytes, &read).count == 3)
        for count in 0..<bytes.count {
            #expect(throws: ByteError.self) { try OwnerBlock(Array(bytes.prefix(count)), &read) }
        }
        #expect(throws: ByteError.self) { try OwnerBlock(bytes + [0], &read) }
        // From the end: three one-byte names, and before them the rows, which end with two numbers.
        let rows = bytes.count - 3 - 3 * 32
        let spoiling: [(Int, UInt8)] = [
            (rows + 40, 1), (rows + 40, 4), (rows + 24, 5), (rows + 28, 2), (rows + 92, 2), (0, 1),
        ]
        for (place, byte) in spoiling {
            var spoiled = bytes
            spoiled[place] = byte
            // The second name may end anywhere before the third.
            if place == rows + 28 {
                #expect(try OwnerBlock(spoiled, &read).entry(1).names.isEmpty)
            } else {
                #expect(throws: ByteError.self, "\(place)") { try OwnerBlock(spoiled, &read) }
            }
        }
        var climbing = bytes
        climbing[bytes.count - 1] = UInt8(ascii: "/")
        #expect(try OwnerBlock(climbing, &read).entry(2).names.isEmpty)
    }

    @Test("from an earlier version is read, and rewritten in blocks once it is long", .rule("11.6"))
    func thatAnEarlierVersionWrote() throws {
        try FileManager.default.createDirectory(
            atPath: folder / "index",
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let earlier = RecordLogFormat(magic: "MIOWNERS", version: 1)
        do { _ = try RecordLog.open(log, earlier) { _ in } }
        // Its additions, all at once: each one would wait for the disk.
        try ALogOfRecords.tamper(log) { bytes in
            for number in 0..<10_000 as Range<UInt64> {
                let record = OwnerRecord.put(Self.key(number), .ada, RootedPath(known: "folder/\(number)"))
                var writer = ByteWriter(.littleEndian)
                RecordLogFormat.addRecord(to: &writer) { $0.add(record.bytes) }
                bytes += writer.bytes
            }
        }
        let size = try ALogOfRecords.bytes(log).count
        let index = try open()
        index.compactIfLarge()
        #expect(try ALogOfRecords.bytes(log).count == size)
        try index.record(.put(Self.key(10_000), .bob, RootedPath(known: "last")))
        index.compactIfLarge()
        #expect(try ALogOfRecords.bytes(log).count < size * 3 / 4)
        #expect(index.writing.withLock { $0.count } == 0)
        let again = try open()
        #expect(try again.entries.of(.ada).count == 10_000)
        #expect(try again.entry(Self.key(10_000))?.owner == .bob)
        // The earlier version says what to do.
        expect(throws: RecordLogError.Code.newerVersion) { try RecordLog.open(log, earlier) { _ in } }
    }

    @Test("contains a wiped name in no byte, and other identities' files unchanged", .rule("13.1"))
    func hasAWipedNameInNoByte() throws {
        let index = try open()
        for number in 0..<1_000 as Range<UInt64> {
            let owner: FileOwner = number % 10 == 0 ? .ada : .bob
            try index.record(.put(Self.key(number), owner, RootedPath(known: "\(owner)/\(number)")))
        }
        try rewrite(index)
        #expect(try Data(ALogOfRecords.bytes(log)).range(of: Data("ada@".utf8)) != nil)
        let gone = try index.entries.of(.ada)
        #expect(gone.count == 100)
        try index.forget(Set(gone.keys), of: .ada) { _ in }
        #expect(try Data(ALogOfRecords.bytes(log)).range(of: Data("ada@".utf8)) == nil)
        #expect(try index.entries.of(.bob).count == 900 && index.entries.of(.ada).isEmpty)
        #expect(try open().entries.of(.bob) == index.entries.of(.bob))
    }
}
