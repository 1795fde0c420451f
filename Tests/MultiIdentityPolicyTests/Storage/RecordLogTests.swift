import Foundation
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityFiles

@Suite("A log of records") struct ALogOfRecords {
    static let format = RecordLogFormat(magic: "MITESTED", version: 2)

    static func open(_ path: String) throws -> (log: RecordLog, records: [String]) {
        var records: [String] = []
        let log = try RecordLog.open(path, format) { records.append(String(decoding: $0, as: UTF8.self)) }
        return (log, records)
    }

    static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Creates and closes a log with these records.
    static func make(_ path: String, _ records: [String]) throws {
        let (log, _) = try open(path)
        for record in records { try log.append(Array(record.utf8)) }
    }

    /// Writes bytes at an offset, or changes existing ones, without the log's knowledge.
    static func tamper(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        var all = try bytes(path)
        change(&all)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(all))
        try handle.close()
    }

    @Test("keeps its records in order with any bytes") func keepsItsRecordsInOrderWithAnyBytes() throws {
        let folder = TemporaryFolder()
        let records = ["a", "", "Ωmega\0", String(repeating: "x", count: 700_000), "z"]
        try Self.make(folder / "log", records)
        let (log, found) = try Self.open(folder / "log")
        #expect(found == records)
        #expect(log.damage.isEmpty)
        #expect(try OpenFile.open(folder / "log", .reading).status().permissions == 0o600)
    }

    @Test("cuts off a torn tail wherever it was torn", .rule("11.6")) func cutsOffATornTailWhereverItWasTorn() throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", ["one", "two"])
        let whole = try Self.bytes(folder / "log")
        for length in whole.count - 18..<whole.count {
            try Self.tamper(folder / "log") { $0 = Array(whole[..<length]) }
            do {
                let (log, records) = try Self.open(folder / "log")
                #expect(records == ["one"])
                let torn = length - (whole.count - 19)
                #expect(log.damage.map(\.length) == [UInt64(torn)])
                #expect(try Self.bytes(folder / "log").count == whole.count - 19)
                #expect(log.damage.allSatisfy { $0.isTail && $0.offset == UInt64(whole.count - 19) })
                try log.append(Array("three".utf8))
            }
            let (log, records) = try Self.open(folder / "log")
            #expect(records == ["one", "three"])
            #expect(log.damage.isEmpty)
        }
    }

    @Test("keeps the good records around a damaged one wherever it is damaged", .rule("11.6"))
    func keepsTheGoodRecordsAroundADamagedOneWhereverItIsDamaged() throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", ["one", "two", "three"])
        let whole = try Self.bytes(folder / "log")
        for offset in 35..<54 {
            for flipped: UInt8 in [0x01, 0x80, 0xFF] {
                try Self.tamper(folder / "log") {
                    $0 = whole
                    $0[offset] ^= flipped
                }
                let (log, records) = try Self.open(folder / "log")
                #expect(records == ["one", "three"])
                #expect(log.damage == [RecordLogDamage(offset: 35, length: 19, isTail: false)])
            }
        }
    }

    /// Finds the records by the checksum of each frame, without regard to cost.
    private static func records(in bytes: [UInt8]) -> [String] {
        var (rest, found) = (bytes.dropFirst(RecordLogFormat.headerSize), [String]())
        while !rest.isEmpty {
            let frame = rest.count < RecordLogFormat.frameSize ? nil : RecordLogFormat.payload(framedBy: rest)
            let payload = rest.dropFirst(RecordLogFormat.frameSize).prefix(frame?.length ?? 0)
            let isWhole = frame.map { $0.length == payload.count && $0.sum == Checksum(of: payload).value } ?? false
            if isWhole { found.append(String(decoding: payload, as: UTF8.self)) }
            rest = rest.dropFirst(isWhole ? RecordLogFormat.frameSize + payload.count : 1)
        }
        return found
    }

    @Test("has every whole record around damage of any kind", .rule("11.6"), arguments: 1...20 as ClosedRange<UInt64>)
    func hasEveryWholeRecordAroundDamage(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = TemporaryFolder()
        let texts = (0..<20).map { String(repeating: "\($0) ", count: Int(random.next() % 300)) }
        try Self.make(folder / "log", texts)
        try Self.tamper(folder / "log") { bytes in
            for _ in 0..<5 {
                let place = 16 + Int(random.next() % UInt64(bytes.count - 16))
                switch random.next() % 3 {
                case 0: bytes[place] ^= 1
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 700)))
                default: bytes.insert(contentsOf: bytes[place...].prefix(Int(random.next() % 700)), at: 16)
                }
            }
        }
        let expected = Self.records(in: try Self.bytes(folder / "log"))
        #expect(try Self.open(folder / "log").records == expected, "seed \(seed)")
    }

    @Test("opens fast even if the damage is frames within frames", .rule("11.4"), .timeLimit(.minutes(1)))
    func isOpenAtOnceWhereDamageIsFrames() throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", ["one"])
        let length = RecordLogFormat.maximumRecordLength
        try Self.tamper(folder / "log") { bytes in
            var writer = ByteWriter(.littleEndian)
            writer.add(RecordLogFormat.mark)
            for number in [UInt32(length), 7] { writer.add(number) }
            writer.add(Checksum(of: writer.bytes).value)
            writer.add(Array(repeating: writer.bytes, count: 16_383).joined())
            writer.add(repeatElement(0x20, count: length))
            RecordLogFormat.addRecord(to: &writer) { $0.add("two".utf8) }
            bytes += writer.bytes
        }
        let (log, records) = try Self.open(folder / "log")
        #expect(records == ["one", "two"])
        #expect(log.damage == [RecordLogDamage(offset: 35, length: 1 << 18 + UInt64(length), isTail: false)])
    }

    @Test("salvages what follows a damaged header", .rule("11.6"))
    func salvagesWhatIsBehindADamagedHeader() throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", ["one", "two"])
        for offset in 0..<16 {
            try Self.tamper(folder / "log") { $0[offset] ^= 0x40 }
            do {
                let (log, records) = try Self.open(folder / "log")
                #expect(records == ["one", "two"])
                #expect(log.damage == [RecordLogDamage(offset: 0, length: 16, isTail: false)])
            }
            #expect(try Self.open(folder / "log").log.damage.isEmpty)
        }
    }

    @Test("is empty if it was truncated in its header", arguments: [0, 1, 15])
    func isEmptyWhereItWasCutOffInItsHeader(_ length: Int) throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", [])
        try Self.tamper(folder / "log") { $0 = Array($0[..<length]) }
        for _ in 0..<2 { #expect(try Self.open(folder / "log").records == []) }
    }

    @Test("refuses another kind of file") func refusesAFileThatIsNone() throws {
        let folder = TemporaryFolder()
        folder.write("something else, and no record in it", to: "log")
        chmod(folder / "log", 0o600)
        expect(throws: RecordLogError.Code.damagedHeader) { try Self.open(folder / "log") }
        #expect(folder.text(of: "log") == "something else, and no record in it")
    }

    @Test("refuses a later version") func refusesALaterVersion() throws {
        let folder = TemporaryFolder()
        do { _ = try RecordLog.open(folder / "log", RecordLogFormat(magic: "MITESTED", version: 3)) { _ in } }
        let before = try Self.bytes(folder / "log")
        expect(throws: RecordLogError.Code.newerVersion) { try Self.open(folder / "log") }
        #expect(try Self.bytes(folder / "log") == before)
    }

    @Test("is refused if others can use it", arguments: [0o644, 0o660, 0o602])
    func isRefusedWhereOthersCanUseIt(_ mode: Int) throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", [])
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder / "log")
        #expect(#expect(throws: RecordLogError.self) { try Self.open(folder / "log") }?.code == .wrongPermissions)
    }

    @Test("is refused if it is another user's", .enabled(if: geteuid() == 0, "only root can give a file away"))
    func isRefusedWhereItIsAnotherUsers() throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", [])
        #expect(chown(folder / "log", 4711, 4711) == 0)
        #expect(#expect(throws: RecordLogError.self) { try Self.open(folder / "log") }?.code == .wrongOwner)
    }

    @Test("is refused if it is a link or a directory") func isRefusedWhereItIsALinkOrADirectory() throws {
        let folder = TemporaryFolder()
        try Self.make(folder / "log", [])
        try FileManager.default.createSymbolicLink(atPath: folder / "link", withDestinationPath: folder / "log")
        #expect(throws: RecordLogError.self) { try Self.open(folder / "link") }
        try FileManager.default.createDirectory(atPath: folder / "directory", withIntermediateDirectories: false)
        #expect(throws: RecordLogError.self) { try Self.open(folder / "directory") }
    }

    @Test("is open once at a time") func isOpenOnceAtATime() throws {
        let folder = TemporaryFolder()
        do {
            let (log, _) = try Self.open(folder / "log")
            #expect(#expect(throws: RecordLogError.self) { try Self.open(folder / "log") }?.code == .inUse)
            try log.append(Array("more".utf8))
        }
        #expect(try Self.open(folder / "log").records == ["more"])
    }

    @Test("refuses a record that is too long") func refusesARecordThatIsTooLong() throws {
        let folder = TemporaryFolder()
        let (log, _) = try Self.open(folder / "log")
        let long = [UInt8](repeating: 7, count: RecordLogFormat.maximumRecordLength + 1)
        #expect(#expect(throws: RecordLogError.self) { try log.append(long) }?.code == .recordTooLong)
        #expect(
            #expect(throws: RecordLogError.self) {
                var draft = try RecordLogDraft(of: folder / "log", Self.format)
                try draft.append { $0.add(long) }
            }?.code == .recordTooLong
        )
        try log.append(Array(long.dropLast()))
    }
}
