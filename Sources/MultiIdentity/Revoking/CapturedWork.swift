/// A capture that may still be restored: counted for its name for as long as somebody holds it.
final class CapturedWork: Sendable {
    let record: IdentityRecord
    let generation: UInt32
    /// True if the capturing code waits for the work: then it is a part of what runs already.
    let isPartOfCaller: Bool

    init(of record: IdentityRecord, _ generation: UInt32, isPartOfCaller: Bool) {
        self.record = record
        self.generation = generation
        self.isPartOfCaller = isPartOfCaller
        record.captureBegins()
    }

    deinit { record.captureEnds() }
}
