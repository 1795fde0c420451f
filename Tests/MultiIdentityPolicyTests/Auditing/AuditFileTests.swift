import Foundation
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@testable import MultiIdentityFiles

@Suite("An audit file", .rule("8.8")) struct AuditFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder / "audit.jsonl" }

    private func event(_ reason: String) -> AuditEvent { AuditEvent(.refused, of: Users.ada, because: reason) }

    private func make(_ count: Int, at path: String? = nil) throws -> AuditFile.Position {
        let file = try AuditFile(path ?? self.path)
        for number in 0..<count { file.record(event("number \(number)")) }
        return file.end
    }

    private var lines: [String] {
        get throws { try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init) }
    }

    private func write(_ lines: [String]) throws {
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test("has a line for each event, which other programs can read") func hasALineForEachEvent() throws {
        let reason = "\"quoted\\ \u{7}\n\u{2028} ünï \u{1F600}" + String(repeating: "x", count: 5_000)
        do {
            let file = try AuditFile(path)
            withIdentity(Users.bob) { file.record(event(reason)) }
            file.record(AuditEvent(.policiesReplaced, of: nil, because: ""))
            let acted = try Users.bob.acted(by: Users.ada).acted(by: Identity("robot"))
            withIdentity(acted) { file.record(event("")) }
        }
        let lines = try lines
        #expect(lines.count == 3)
        let objects = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["n"] as? Int } == [1, 2, 3])
        #expect(objects[0]["identity"] as? String == Users.ada.name && objects[0]["actor"] as? String == Users.bob.name)
        #expect(objects[2]["actor"] as? String == Users.bob.name && objects[0]["act"] == nil)
        #expect(objects[2]["act"] as? [String] == ["robot", Users.ada.name])
        let read = try #require(objects[0]["reason"] as? String)
        #expect(read.hasSuffix("…") && reason.hasPrefix(read.dropLast()) && read.utf8.count < 4_100)
        #expect(
            objects[1]["identity"] == nil && objects[1]["actor"] == nil
                && objects[1]["kind"] as? String == "policiesReplaced"
        )
        let time = try #require(objects[0]["at"] as? String)
        let date = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time)
        #expect(abs(date.timeIntervalSinceNow) < 600)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("continues where it ended, and is complete") func goesOnWhereItEnded() throws {
        var ends: [AuditFile.Position] = []
        for count in 0..<4 { ends.append(try make(count)) }
        #expect(ends.map(\.number) == [0, 1, 3, 6])
        let found = try AuditFile.verify(path, holding: ends)
        #expect(found.isWhole && found.end == ends[3], "\(found.faults)")
        for end in ends { #expect(AuditFile.Position("\(end)") == end) }
        let digest = "\(ends[1])".dropFirst(2)
        let others = ["x:\(digest)", "01:\(digest)", "+1:\(digest)", "1:\(digest.uppercased())"]
        for text in ["", "1", "1:", "1:00"] + others {
            #expect(AuditFile.Position(text) == nil)
        }
    }

    @Test("never has a line that could not be followed by another") func hasNoLastNumber() throws {
        _ = try make(1)
        let line = try #require(try lines.first)
        let last = line.replacingOccurrences(of: "{\"n\":1,", with: "{\"n\":\(UInt64.max),")
        try write([last, last])
        #expect(try AuditFile.verify(path).faults == ["line 1 is not an audit line", "line 2 is not an audit line"])
        #expect(throws: ProtectionError.self) { try AuditFile(path) }
    }

    @Test("accepts no event after the highest line number", arguments: [0, 1, 2] as [UInt64])
    func hasNoLineBehindTheLast(_ room: UInt64) throws {
        let last = UInt64.max - 1
        _ = try make(1)
        let line = try #require(try lines.first)
        try write([line.replacingOccurrences(of: "{\"n\":1,", with: "{\"n\":\(last - room),")])
        if room > 0 {
            let refused = Notes<ProtectionError.Code>()
            let file = try AuditFile(path) { refused.add($0.code) }
            for number in 0...room { file.record(event("\(number)")) }
            #expect(refused.all == [.damaged] && file.end.number == last)
        }
        #expect(try AuditFile.verify(path).end.number == last)
        #expect(throws: ProtectionError.self) { try AuditFile(path) }
    }

    enum Damage: String, CaseIterable, Sendable {
        case missing, twoMissing, firstMissing, altered, exchanged, repeated, added, emptied, chainAltered
        case chainCapitalized

        var fault: String {
            switch self {
            case .missing: "event 4 is missing"
            case .twoMissing: "events 4 to 5 are missing"
            case .firstMissing: "event 1 is missing"
            case .altered: "event 4 is not the one written"
            case .exchanged: "event 4 is missing"
            case .repeated: "line 5 is event 4, but event 5 was expected"
            case .added, .chainCapitalized: "line 4 is not an audit line"
            case .emptied: "line 4 is not an audit line"
            case .chainAltered: "event 4 is not the one written"
            }
        }

        func damage(_ lines: inout [String]) {
            switch self {
            case .missing: lines.remove(at: 3)
            case .twoMissing: lines.removeSubrange(3...4)
            case .firstMissing: lines.removeFirst()
            case .altered: lines[3] = lines[3].replacingOccurrences(of: "number 3", with: "number 8")
            case .exchanged: lines.swapAt(3, 4)
            case .repeated: lines.insert(lines[3], at: 3)
            case .added: lines.insert("{\"n\":4}", at: 3)
            case .emptied: lines[3] = ""
            case .chainCapitalized: lines[3] = String(lines[3].dropLast(66)) + lines[3].suffix(66).uppercased()
            case .chainAltered: lines[3] = String(lines[3].dropLast(3)) + (lines[3].hasSuffix("0\"}") ? "1\"}" : "0\"}")
            }
        }
    }

    @Test("shows what is missing or was changed", arguments: Damage.allCases)
    func showsWhatIsMissing(_ damage: Damage) throws {
        let end = try make(8)
        #expect(try AuditFile.verify(path, holding: [end]).isWhole)
        var lines = try lines
        damage.damage(&lines)
        try write(lines)
        let found = try AuditFile.verify(path)
        #expect(!found.isWhole && found.faults.first?.contains(damage.fault) == true, "\(found.faults)")
        #expect(found.faultCount == found.faults.count && found.end.number == 8)
    }

    @Test("shows a line copied from another file") func showsALineOfAnotherFile() throws {
        let other = try AuditFile(folder / "other")
        for number in 0..<8 { other.record(event("other \(number)")) }
        _ = try make(8)
        var lines = try lines
        lines[3] = try #require(folder.text(of: "other")).split(separator: "\n").map(String.init)[3]
        try write(lines)
        let faults = try AuditFile.verify(path).faults
        #expect(faults.count == 2 && faults.first?.contains("event 4 is not the one written") == true, "\(faults)")
    }

    @Test("shows a truncated or recreated file by a saved position")
    func showsAnEndThatWasCutOff() throws {
        let end = try make(5)
        let whole = try lines
        try write(Array(whole.dropLast()))
        #expect(try AuditFile.verify(path).isWhole)
        #expect(try AuditFile.verify(path, holding: [end]).faults == ["event 5, which was kept, is missing"])
        try FileManager.default.removeItem(atPath: path)
        _ = try make(6)
        #expect(try AuditFile.verify(path, holding: [end]).faults == ["event 5 differs from the one that was kept"])
    }

    @Test("loses a line that the end of a process cut off anywhere, and no other")
    func losesALineThatWasCutOff() throws {
        _ = try make(2)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let second = try #require(bytes.firstIndex(of: 0x0A)) + 1
        for length in stride(from: 0, to: bytes.count, by: 7) {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            let end = try make(1)
            #expect(end.number == (length >= second ? 2 : 1), "cut off at \(length)")
            #expect(try AuditFile.verify(path, holding: [end]).isWhole)
        }
        // Longer than the line that replaces it.
        try (bytes + Data(repeating: 0x78, count: 2_000)).write(to: URL(fileURLWithPath: path))
        let end = try make(1)
        #expect(try AuditFile.verify(path, holding: [end]).isWhole && end.number == 3)
    }

    @Test("loses a line of which a power cut lost sectors, and no other", arguments: [0, 1, 3])
    func losesALineOfWhichSectorsAreLeftOut(_ before: Int) throws {
        let kept = try make(before)
        let start = try Data(contentsOf: URL(fileURLWithPath: path)).count
        do { try AuditFile(path).record(event(String(repeating: "x", count: 1_800))) }
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let sectors = (start / 512)..<((whole.count + 511) / 512)
        #expect(sectors.count > 3)
        for left in 1..<1 << sectors.count {
            var bytes = whole
            for (place, sector) in sectors.enumerated() where left >> place & 1 == 1 {
                for offset in max(start, sector * 512)..<min(whole.count, sector * 512 + 512) { bytes[offset] = 0 }
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            let end = try make(1)
            #expect(end.number == kept.number + 1 && Int(end.number) == before + 1, "\(left)")
            #expect(try AuditFile.verify(path, holding: [kept, end]).isWhole, "\(left)")
        }
        // A flipped byte does not come from a power cut.
        try (whole.dropLast(2) + [0, 0x0A]).write(to: URL(fileURLWithPath: path))
        #expect(throws: ProtectionError.self) { try AuditFile(path) }
    }

    @Test("is refused if others can write it, if it is no audit file, or if it is open") func isRefused() throws {
        for (name, text, mode, code) in [
            ("open to all", "", 0o666, ProtectionError.Code.unsafeFile), ("another", "some text\n", 0o600, .damaged),
        ] {
            folder.write(text, to: name)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder / name)
            let failure = #expect(throws: ProtectionError.self) { try AuditFile(folder / name) }
            #expect(failure?.code == code && folder.text(of: name) == text)
        }
        let file = try AuditFile(path)
        expect(throws: ProtectionError.Code.inUse) { try AuditFile(path) }
        expect(throws: ProtectionError.Code.notFound) { try AuditFile(folder / "no/where") }
        #expect(throws: ProtectionError.self) { try AuditFile.verify(folder / "nowhere") }
        withExtendedLifetime(file) {}
    }

    @Test("is complete if any call fails, and the next line says what is lost", arguments: [ENOSPC, EIO])
    func isWholeWhereAnyCallFails(_ code: Int32) throws {
        let counting = StorageFaults()
        let first = try AuditFile(folder / "0")
        counting.during { first.record(event("counted")) }
        #expect(counting.calls.count >= 2)
        for number in 1...counting.calls.count {
            for isLasting in [false, true] {
                let path = folder / "\(number)\(isLasting)"
                let failures = Locked<[ProtectionError]>([])
                let file = try AuditFile(path) { failure in failures.withLock { $0.append(failure) } }
                file.record(event("before"))
                let plan: StorageFaults.Plan =
                    isLasting ? .failAll(fromCall: number, with: code) : .fail(atCall: number, with: code)
                StorageFaults(plan).during { file.record(event("lost")) }
                #expect(failures.withLock { $0.map(\.code) } == [code == ENOSPC ? .noSpace : .systemCall])
                file.record(event("after"))
                let found = try AuditFile.verify(path, holding: [file.end])
                #expect(found.isWhole && found.end.number == (isLasting ? 3 : 4), "call \(number): \(found.faults)")
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(!text.contains("\"lost\"") && text.contains("1 events could not be written"))
                #expect(text.contains("events from here on") == !isLasting)
            }
        }
    }

    @Test("has each line once and complete when many threads record at once") func manyThreads() throws {
        let file = try AuditFile(path, isSynchronized: false)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<200 { file.record(event("\(thread).\(number)")) }
        }
        let found = try AuditFile.verify(path, holding: [file.end])
        #expect(found.isWhole && found.end.number == 1_600)
        let reasons = try lines.map { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["reason"] as? String
        }
        #expect(Set(reasons).count == 1_600)
    }
}
