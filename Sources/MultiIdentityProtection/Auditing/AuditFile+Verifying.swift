import MultiIdentity
import MultiIdentityFiles

/// The result of verifying an audit file.
public struct AuditVerification: Hashable, Sendable {
    /// The last complete line.
    public let end: AuditFile.Position
    /// The faults in words, in the order of the lines; at most the first hundred of ``faultCount``.
    public let faults: [String]
    /// The number of faults.
    public let faultCount: Int

    /// Indicates whether every line is unchanged, at least up to the last requested position.
    public var isWhole: Bool { faultCount == 0 }
}

extension AuditFile {
    /// Verifies that every line of an audit file is unchanged; another process may have the file open.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - positions: Values of ``end`` that were kept elsewhere; if such a line is missing or differs, that is a fault.
    /// - Returns: The result.
    /// - Throws: ``ProtectionError`` if the file cannot be read.
    /// - Complexity: O(*n*) in the size of the file, with memory for one line.
    public static func verify(
        _ path: String,
        holding positions: [Position] = []
    ) throws(ProtectionError) -> AuditVerification {
        let file = try ProtectionError.from { () throws(SystemCallError) in try OpenFile.open(path, .reading) }
        // Lines added from here on are not verified.
        let size = try ProtectionError.from { () throws(SystemCallError) in try file.status().size }
        var walk = AuditWalk(positions)
        var (place, rest) = (UInt64(0), [UInt8]()[...])
        while place < size {
            let bytes = try read(file, from: place, upTo: Int(min(size - place, UInt64(AuditLine.maximumLength))))
            if bytes.isEmpty { break }
            place += UInt64(bytes.count)
            rest += bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                try walk.pass(rest[..<end])
                rest = rest[(end + 1)...]
            }
            if rest.count > AuditLine.maximumLength {
                walk.passUnreadable()
                rest = []
            }
        }
        return walk.ended(hasRest: !rest.isEmpty)
    }
}

/// A walk along the lines of an audit file.
private struct AuditWalk {
    private var end = AuditFile.Position(0, AuditLine.start)
    private var held: [UInt64: [AuditFile.Position]]
    private var faults: [String] = []
    private var faultCount = 0
    private var lines: UInt64 = 0

    init(_ positions: [AuditFile.Position]) {
        held = Dictionary(grouping: positions, by: \.number)
        held[0] = nil
    }

    private mutating func fault(_ text: String) {
        faultCount += 1
        if faults.count < 100 { faults.append(text) }
    }

    mutating func passUnreadable() {
        lines += 1
        fault("line \(lines) is not an audit line")
    }

    mutating func pass(_ bytes: ArraySlice<UInt8>) throws(ProtectionError) {
        guard let line = AuditLine(bytes) else { return passUnreadable() }
        lines += 1
        let next = end.number + 1  // no line has the greatest number
        if line.number > next {
            let gone = line.number - 1
            fault(gone == next ? "event \(next) is missing" : "events \(next) to \(gone) are missing")
        } else if line.number < next {
            fault("line \(lines) is event \(line.number), but event \(next) was expected")
        } else if try AuditLine.chain(line.text, after: end.chain) != line.chain {
            fault("event \(line.number) is not the one written after event \(end.number)")
        }
        // Continue from this line as it is, so that one fault does not hide others.
        end = AuditFile.Position(line.number, line.chain)
        for position in held.removeValue(forKey: line.number) ?? [] where position != end {
            fault("event \(line.number) differs from the one that was kept")
        }
    }

    consuming func ended(hasRest: Bool) -> AuditVerification {
        if hasRest {
            fault(
                "after event \(end.number) there is an incomplete line: its process ended, or someone cut it off"
            )
        }
        for number in held.keys.sorted() { fault("event \(number), which was kept, is missing") }
        return AuditVerification(end: end, faults: faults, faultCount: faultCount)
    }
}
