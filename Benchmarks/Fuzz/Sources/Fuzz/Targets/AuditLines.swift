import Foundation
import MultiIdentity

@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

/// The first byte says what the rest is.
///
/// 0: a line; if it can be read, it is equal when written again. 1: how to change a file, and the texts of events separated by
/// 0xFF; each event is a line with the same content for Foundation, and any changed bit and any removed, repeated or moved
/// line is noticed. 2: a file; what is appended is the next line, and no fault disappears. 3: a position, which has
/// one spelling.
enum AuditLines {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard let kind = bytes.first else { return false }
        let rest = Array(bytes.dropFirst())
        switch kind {
        case 0: line(rest)
        case 1: return changed(rest)
        case 2: added(to: rest)
        case 3: position(String(decoding: rest, as: UTF8.self))
        default: return false
        }
        return true
    }

    private static func line(_ bytes: [UInt8]) {
        guard let line = AuditLine(bytes[...]) else { return }
        let digest = line.chain.map { String(format: "%02x", $0) }.joined()
        let written = line.text + ",\"chain\":\"\(digest)\"}".utf8
        require(Array(written) == bytes, "\(String(decoding: bytes, as: UTF8.self)) has another spelling")
        require(bytes.starts(with: "{\"n\":\(line.number)".utf8), "it is not number \(line.number)")
    }

    private static func position(_ text: String) {
        guard let position = AuditFile.Position(text) else { return }
        require("\(position)".utf8.elementsEqual(text.utf8), "\(text) is another spelling of \(position)")
    }

    private static func changed(_ bytes: [UInt8]) -> Bool {
        let place = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        let texts = bytes.dropFirst(3).split(separator: 0xFF).prefix(4).map { String(decoding: $0, as: UTF8.self) }
        guard bytes.count > 3, !texts.isEmpty else { return false }
        var chain = AuditLine.start
        var lines: [[UInt8]] = []
        for (number, text) in texts.enumerated() {
            let event = AuditEvent(.init(text), of: try? Identity(text), because: text)
            guard let made = try? AuditLine.made(event, UInt64(number + 1), after: chain) else {
                fatalError("no line of \(event)")
            }
            requireSaid(event, made.bytes, number + 1)
            chain = made.chain
            lines.append(made.bytes)
        }
        let end = AuditFile.Position(UInt64(lines.count), chain)
        let whole = found(Array(lines.joined()), holding: [end])
        require(whole.isWhole && whole.end == end, "\(whole)")
        for change in changes(of: lines, at: place) {
            require(!found(change, holding: [end]).isWhole, "this is not noticed: \(shown(change))")
        }
        // Without a stored end, only lines removed at the end could go unnoticed.
        let change = flipped(lines, at: place)
        require(!found(change).isWhole, "bit \(place) is not noticed: \(shown(change))")
        return true
    }

    private static func requireSaid(_ event: AuditEvent, _ line: [UInt8], _ number: Int) {
        let members = SecondReading.value(line)?.object
        require(line.count(where: { $0 == 0x0A }) == 1 && line.last == 0x0A, "it is not one line")
        require(members?["n"] == .number(Double(number)), "\(shown(line)) is not number \(number)")
        let said = [("kind", event.kind.description, 256), ("reason", event.reason, 4_096)]
        for (key, text, limit) in said where text.utf8.count <= limit {
            require(members?[key]?.text?.utf8.elementsEqual(text.utf8) == true, "\(shown(line)) has not \(text)")
        }
        let name = members?["identity"]?.text
        require(name == event.identity?.name, "\(shown(line)) is about \(name ?? "none")")
    }

    private static func flipped(_ lines: [[UInt8]], at place: Int) -> [UInt8] {
        var bytes = Array(lines.joined())
        let bit = place % (bytes.count * 8)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }

    private static func changes(of lines: [[UInt8]], at place: Int) -> [[UInt8]] {
        let number = place % lines.count
        var (gone, twice, moved) = (lines, lines, lines)
        gone.remove(at: number)
        twice.insert(lines[number], at: number)
        moved.append(moved.remove(at: number))
        let bytes = Array(lines.joined())
        let cut = Array(bytes.dropLast(1 + place % bytes.count))
        let others = [gone, twice] + (moved == lines ? [] : [moved])
        return [flipped(lines, at: place), cut] + others.map { Array($0.joined()) }
    }

    private static func added(to bytes: [UInt8]) {
        let before = found(bytes)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        if before.isWhole { require(UInt64(lines.count) == before.end.number, "\(lines.count) lines: \(before)") }
        do throws(ProtectionError) {
            let file = try AuditFile(TemporaryFile.path, isSynchronized: false) { fatalError("\($0)") }
            require(file.end == before.end, "\(file.end): \(before)")
            file.record(AuditEvent(.refused, of: nil, because: "added"))
            let after = found()
            require(after.end == file.end && after.end.number == before.end.number + 1, "\(after)")
            // A partial line at the end is overwritten, and is no longer a fault.
            let rest = bytes.isEmpty || bytes.last == 0x0A ? 0 : 1
            require(after.faultCount == before.faultCount - rest, "\(before) became \(after)")
        } catch {
            require(error.code == .damaged && !before.isWhole, "\(error): \(before)")
        }
    }

    private static func found(
        _ bytes: [UInt8]? = nil,
        holding positions: [AuditFile.Position] = []
    ) -> AuditVerification {
        if let bytes { TemporaryFile.write(bytes) }
        do throws(ProtectionError) { return try AuditFile.verify(TemporaryFile.path, holding: positions) } catch {
            fatalError("\(error)")
        }
    }

    private static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
