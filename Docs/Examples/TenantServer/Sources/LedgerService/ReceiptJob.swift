import JobQueue

/// The job that each entry enqueues.
struct ReceiptJob {
    static let kind = "receipt"

    let entry: Int64

    init(entry: Int64) { self.entry = entry }

    init(_ job: Job) throws(PermanentJobFailure) {
        guard let entry = Int64(String(decoding: job.payload, as: UTF8.self)) else {
            throw PermanentJobFailure("the payload is not the number of an entry")
        }
        self.entry = entry
    }

    var newJob: NewJob { NewJob(Self.kind, idempotencyKey: "entry-\(entry)", payload: Array("\(entry)".utf8)) }
}
