import Foundation
import MultiIdentityFiles
import Testing

/// A torn end of a log was never acknowledged; a damaged one was.
@Suite("The end of a log", .rule("11.6")) struct TheEndOfALog {
    @Test("is damaged and not torn wherever a byte of it was flipped", arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func isDamagedAndNotTorn(_ flipped: UInt8) throws {
        let folder = TemporaryFolder()
        try ALogOfRecords.make(folder / "log", ["one", "two"])
        let whole = try ALogOfRecords.bytes(folder / "log")
        for offset in 35..<54 {
            try ALogOfRecords.tamper(folder / "log") {
                $0 = whole
                $0[offset] ^= flipped
            }
            let damage = [RecordLogDamage(offset: 35, length: 19, isTail: false)]
            for _ in 0..<2 {
                let (log, records) = try ALogOfRecords.open(folder / "log")
                #expect(records == ["one"] && log.damage == damage)
            }
            do {
                let (log, _) = try ALogOfRecords.open(folder / "log")
                try log.append(Array("three".utf8))
            }
            let (log, records) = try ALogOfRecords.open(folder / "log")
            #expect(records == ["one", "three"] && log.damage == damage)
        }
    }

    @Test("is torn if a power cut left unwritten zeros") func isTornWhereAPowerCutLeftZeros() throws {
        let folder = TemporaryFolder()
        let long = String(repeating: "x", count: 1_600)
        try ALogOfRecords.make(folder / "log", ["one", long])
        let whole = try ALogOfRecords.bytes(folder / "log")
        // The record spans four sectors.
        let borders = [35, 512, 1_024, 1_536, whole.count]
        for left in 1..<16 {
            try ALogOfRecords.tamper(folder / "log") { bytes in
                bytes = whole
                for sector in 0..<4 where left >> sector & 1 == 1 {
                    for offset in borders[sector]..<borders[sector + 1] { bytes[offset] = 0 }
                }
            }
            let (log, records) = try ALogOfRecords.open(folder / "log")
            #expect(records == ["one"])
            #expect(log.damage.map(\.isTail) == [true])
            #expect(try ALogOfRecords.bytes(folder / "log").count == 35)
        }
    }

    @Test("is damaged if the last record is torn and the one before was flipped")
    func isDamagedWhereTheOneBeforeWasFlipped() throws {
        let folder = TemporaryFolder()
        try ALogOfRecords.make(folder / "log", ["one", "two", String(repeating: "x", count: 1_600)])
        try ALogOfRecords.tamper(folder / "log") { bytes in
            bytes[53] ^= 1
            for offset in 512..<1_024 { bytes[offset] = 0 }
        }
        let (log, records) = try ALogOfRecords.open(folder / "log")
        #expect(records == ["one"] && log.damage.map(\.isTail) == [false])
    }
}

@Suite("A log whose file was removed") struct ALogWhoseFileWasTakenAway {
    @Test("acknowledges nothing any more", .rule("11.6"), arguments: ["removed", "renamed", "replaced", "folder"])
    func acknowledgesNothingAnyMore(_ how: String) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "in", withIntermediateDirectories: false)
        let path = folder / "in/log"
        let (log, _) = try ALogOfRecords.open(path)
        try log.append(Array("one".utf8))
        switch how {
        case "removed": #expect(unlink(path) == 0)
        case "renamed": #expect(rename(path, folder / "in/other") == 0)
        case "folder": #expect(rename(folder / "in", folder / "out") == 0)
        default:
            folder.write("", to: "in/other")
            #expect(rename(folder / "in/other", path) == 0)
        }
        for _ in 0..<2 { #expect(throws: RecordLogError.self) { try log.append(Array("two".utf8)) } }
        if how == "renamed" { #expect(rename(folder / "in/other", path) == 0) }
        if how == "folder" { #expect(rename(folder / "out", folder / "in") == 0) }
        guard how == "renamed" || how == "folder" else { return }
        // The refused record is missing, and the log continues.
        try log.append(Array("three".utf8))
        #expect(try ALogOfRecords.bytes(path).count == 16 + 19 + 21)
    }
}
