import MultiIdentity
import MultiIdentityFiles

/// A record of a journal: numbers of 8 bytes, little-endian, and texts after their lengths.
///
/// Each one names the identity, so that any that can be read is enough to know it.
enum WipeRecord: Equatable {
    /// A run began, the first with 1, at a time in seconds since 1970, with the stores of accounts' data there: the
    /// names of storages, and whether there are keys.
    ///
    /// Without this, a later run with fewer stores would consider a wipe complete that has left files and keys.
    case began(run: Int, at: Int64, storages: [String], hasKeys: Bool)
    /// A phase is about to begin.
    case phase(WipePhase)
    /// So much was removed in all runs.
    case count(WipeTally.Count)
    /// A run ended.
    case ended(WipeReport)
    /// The account of a complete wipe was readmitted.
    case readmitted

    private static let (begins, phases, counts, ends) = ("began", "phase", "count", "ended")
    private static let comesBack = "readmitted"

    func bytes(of identity: Identity) -> [UInt8] {
        var writer = ByteWriter(.littleEndian)
        writer.add(identity.name)
        switch self {
        case .began(let run, let time, let storages, let hasKeys):
            writer.add(Self.begins)
            writer.add(run)
            writer.add(UInt64(bitPattern: time))
            writer.add(storages) { $0.add($1) }
            writer.add(hasKeys)
        case .phase(let phase):
            writer.add(Self.phases)
            writer.add(phase.rawValue)
        case .count(let count):
            writer.add(Self.counts)
            writer.add(count.files)
            writer.add(count.bytes)
            writer.add(count.keys ?? -1)
        case .ended(let report):
            writer.add(Self.ends)
            writer.add(report)
        case .readmitted: writer.add(Self.comesBack)
        }
        return writer.bytes
    }

    /// Reads a record and the identity that it names.
    static func read(_ bytes: [UInt8]) throws(ByteError) -> (identity: Identity, record: WipeRecord) {
        try ByteReader.whole(bytes, .littleEndian) { (reader) throws(ByteError) in
            guard let identity = try? Identity(try reader.text()) else { throw .invalid }
            return (identity, try read(&reader, of: identity))
        }
    }

    private static func read(_ reader: inout ByteReader, of identity: Identity) throws(ByteError) -> WipeRecord {
        switch try reader.text() {
        case begins:
            let run = try reader.integer()
            guard run > 0, run < .max else { throw .invalid }
            let time = try reader.time()
            return .began(run: run, at: time, storages: try reader.texts(), hasKeys: try reader.flag())
        case phases: return .phase(try reader.choice())
        case counts:
            return .count(.init(files: try reader.amount(), bytes: try reader.number(), keys: try reader.count()))
        case ends: return .ended(try reader.report(of: identity))
        case comesBack: return .readmitted
        default: throw .invalid
        }
    }
}

extension ByteWriter {
    fileprivate mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
    fileprivate mutating func add(_ isSo: Bool) { add(isSo ? 1 : 0 as UInt64) }
    fileprivate mutating func add(_ text: String) { add(text, behind: UInt64.self) }

    fileprivate mutating func add<Element>(_ list: [Element], each: (inout ByteWriter, Element) -> Void) {
        add(UInt64(list.count))
        for element in list { each(&self, element) }
    }

    fileprivate mutating func add(_ report: WipeReport) {
        add(report.isComplete)
        add(report.runs)
        add(report.wasManaged)
        add(UInt64(bitPattern: report.began))
        add(UInt64(bitPattern: report.ended))
        add(report.handled?.rawValue ?? "")
        add(report.files)
        add(report.bytes)
        add(report.isCountExact)
        add(report.keys.rawValue)
        add(report.keyCount ?? -1)
        add(report.work.cancelled)
        add(report.work.captured)
        add(report.work.stillRunning)
        add(report.work.names) { $0.add($1) }
        add(report.failures) {
            $0.add($1.subject)
            $0.add($1.reason)
        }
        add(report.failureCount)
        add(report.journalDamage)
        let times = WipePhase.allCases.compactMap { phase in report.seconds[phase].map { (phase, $0) } }
        add(times) {
            $0.add($1.0.rawValue)
            $0.add($1.1.bitPattern)
        }
    }
}

extension ByteReader {
    fileprivate mutating func integer() throws(ByteError) -> Int { Int(truncatingIfNeeded: try number(UInt64.self)) }
    /// Reads a number that can still be added to without overflow.
    fileprivate mutating func amount() throws(ByteError) -> UInt64 {
        let amount: UInt64 = try number()
        guard amount <= UInt64(Int64.max) else { throw .invalid }
        return amount
    }
    /// A number that may be unknown, which is -1.
    fileprivate mutating func count() throws(ByteError) -> Int? {
        let count = try integer()
        return count < 0 ? nil : count
    }
    fileprivate mutating func time() throws(ByteError) -> Int64 { Int64(bitPattern: try number(UInt64.self)) }
    fileprivate mutating func flag() throws(ByteError) -> Bool { try flag(UInt64.self) }
    fileprivate mutating func text() throws(ByteError) -> String { try text(behind: UInt64.self) }

    fileprivate mutating func choice<Choice: RawRepresentable<String>>() throws(ByteError) -> Choice {
        guard let choice = Choice(rawValue: try text()) else { throw .invalid }
        return choice
    }

    fileprivate mutating func list<Element>(
        _ element: (inout ByteReader) throws(ByteError) -> Element
    ) throws(ByteError) -> [Element] {
        try list(of: try number(UInt64.self), element)
    }

    fileprivate mutating func texts() throws(ByteError) -> [String] {
        try list { (reader) throws(ByteError) in try reader.text() }
    }

    // Arguments are evaluated from the first to the last, in the order in which they were written.
    fileprivate mutating func report(of identity: Identity) throws(ByteError) -> WipeReport {
        WipeReport(
            identity: identity,
            isComplete: try flag(),
            runs: try integer(),
            wasManaged: try flag(),
            began: try time(),
            ended: try time(),
            handled: IdentityWipe.HandledFiles(rawValue: try text()),
            files: try amount(),
            bytes: try number(),
            isCountExact: try flag(),
            keys: try choice(),
            keyCount: try count(),
            work: .init(
                cancelled: try integer(),
                captured: try integer(),
                stillRunning: try integer(),
                names: try texts()
            ),
            failures: try list { (reader) throws(ByteError) in
                WipeFailure(try reader.text(), because: try reader.text())
            },
            failureCount: try integer(),
            journalDamage: try integer(),
            seconds: Dictionary(
                try list { (reader) throws(ByteError) -> (WipePhase, Double) in
                    (try reader.choice(), Double(bitPattern: try reader.number()))
                },
                uniquingKeysWith: { $1 }
            )
        )
    }
}
