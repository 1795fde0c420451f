import MultiIdentity

/// A record of a journal.
///
/// Each one names the identity, so that any that can be read is enough to know it.
enum WipeRecord: Equatable {
    /// A run began, the first with 1, at a time in seconds since 1970, with what holds data of accounts there.
    case began(run: Int, at: Int64, with: WipedPlaces)
    /// A phase is about to begin.
    case phase(WipePhase)
    /// So much was removed in all runs.
    case count(WipeCount)
    /// A run ended.
    case ended(WipeReport)

    private static let (begins, phases, counts, ends) = ("began", "phase", "count", "ended")

    func bytes(of identity: Identity) -> [UInt8] {
        var writer = WipeRecordWriter()
        writer.add(identity.name)
        switch self {
        case .began(let run, let time, let places):
            writer.add(Self.begins)
            writer.add(run)
            writer.add(UInt64(bitPattern: time))
            writer.add(places.storages) { $0.add($1) }
            writer.add(places.hasKeys)
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
            report.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads a record and the identity that it names; `nil` where that cannot be done.
    static func read(_ bytes: [UInt8]) -> (identity: Identity, record: WipeRecord)? {
        var reader = WipeRecordReader(bytes)
        guard let name = reader.text(), let identity = try? Identity(name),
            let record = read(&reader, of: identity), reader.isAtEnd
        else { return nil }
        return (identity, record)
    }

    private static func read(_ reader: inout WipeRecordReader, of identity: Identity) -> WipeRecord? {
        switch reader.text() {
        case begins:
            guard let run = reader.integer(), run > 0, let time = reader.number(),
                let storages = reader.list({ $0.text() }), let hasKeys = reader.isSo()
            else { return nil }
            let places = WipedPlaces(storages: storages, hasKeys: hasKeys)
            return .began(run: run, at: Int64(bitPattern: time), with: places)
        case phases:
            return reader.choice(WipePhase.self).map { .phase($0) }
        case counts:
            guard let files = reader.number(), let bytes = reader.number(), let keys = reader.integer() else {
                return nil
            }
            return .count(WipeCount(files: files, bytes: bytes, keys: keys < 0 ? nil : keys))
        case ends:
            return WipeReport(of: identity, &reader).map { .ended($0) }
        default: return nil
        }
    }
}
