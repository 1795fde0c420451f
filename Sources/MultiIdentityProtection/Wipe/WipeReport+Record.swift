import MultiIdentity
import MultiIdentityFiles

/// The form of a report in a journal.
extension WipeReport {
    func write(to writer: inout WipeRecordWriter) {
        writer.add(isComplete)
        writer.add(runs)
        writer.add(wasManaged)
        writer.add(UInt64(bitPattern: began))
        writer.add(UInt64(bitPattern: ended))
        writer.add(handled?.rawValue ?? "")
        writer.add(files)
        writer.add(bytes)
        writer.add(isCountExact)
        writer.add(keys.outcome.rawValue)
        writer.add(keys.count ?? -1)
        writer.add(work.cancelled)
        writer.add(work.captured)
        writer.add(work.stillRunning)
        writer.add(work.names) { $0.add($1) }
        writer.add(failures) {
            $0.add($1.subject)
            $0.add($1.reason)
        }
        writer.add(failureCount)
        writer.add(journalDamage)
        writer.add(times) {
            $0.add($1.phase.rawValue)
            $0.add($1.seconds.bitPattern)
        }
    }

    init?(of identity: Identity, _ reader: inout WipeRecordReader) {
        guard let isComplete = reader.isSo(), let runs = reader.integer(), let wasManaged = reader.isSo(),
            let began = reader.number(), let ended = reader.number(), let handled = reader.text(),
            let files = reader.number(), let bytes = reader.number(), let isCountExact = reader.isSo(),
            let outcome = reader.choice(Keys.Outcome.self), let keyCount = reader.integer(),
            let work = Work(&reader),
            let failures = reader.list({ reader in
                reader.text().flatMap { subject in reader.text().map { WipeFailure(subject, because: $0) } }
            }),
            let failureCount = reader.integer(), let journalDamage = reader.integer(),
            let times = reader.list({ reader in
                reader.choice(WipePhase.self).flatMap { phase in
                    reader.number().map { WipePhaseTime(phase: phase, seconds: Double(bitPattern: $0)) }
                }
            })
        else { return nil }
        self.init(
            identity: identity,
            isComplete: isComplete,
            runs: runs,
            wasManaged: wasManaged,
            began: Int64(bitPattern: began),
            ended: Int64(bitPattern: ended),
            handled: HandledFiles(rawValue: handled),
            files: files,
            bytes: bytes,
            isCountExact: isCountExact,
            keys: Keys(outcome: outcome, count: keyCount < 0 ? nil : keyCount),
            work: work,
            failures: failures,
            failureCount: failureCount,
            journalDamage: journalDamage,
            times: times
        )
    }
}

extension WipeReport.Work {
    fileprivate init?(_ reader: inout WipeRecordReader) {
        guard let cancelled = reader.integer(), let captured = reader.integer(), let stillRunning = reader.integer(),
            let names = reader.list({ $0.text() })
        else { return nil }
        self.init(cancelled: cancelled, captured: captured, stillRunning: stillRunning, names: names)
    }
}
