import JobQueue

/// An entry, and as whom it was read or written.
struct LedgerEntry: Sendable {
    let number: Int64
    let requestID: String
    let text: String
    let owner: JobOwner
    let servedAs: JobOwner

    init(_ row: some TableRow, servedAs seen: JobOwner) throws {
        number = try row.number(of: "number")
        requestID = try row.text(of: "request_id")
        text = try row.text(of: "text")
        owner = try JobOwner.read("owner", of: row)
        servedAs = seen
    }
}

/// The receipt that an entry's job made.
struct LedgerReceipt: Sendable {
    let requestID: String
    let entry: Int64
    let madeAs: JobOwner
    let attempt: Int
    let servedAs: JobOwner

    init(_ row: some TableRow, servedAs seen: JobOwner) throws {
        requestID = try row.text(of: "request_id")
        entry = try row.number(of: "entry")
        madeAs = try JobOwner.read("made", of: row)
        attempt = try Int(row.number(of: "attempt"))
        servedAs = seen
    }
}

/// Counts of what was removed of an owner.
struct ErasedLedger: Sendable {
    let entries: Int
    let receipts: Int
    let jobs: Int
    let servedAs: JobOwner
}

extension JobOwner {
    /// The owner in three columns of a row.
    fileprivate static func read(_ prefix: String, of row: some TableRow) throws -> JobOwner {
        let columns = try Columns(
            kind: row.text(of: "\(prefix)_kind"),
            name: row.text(of: "\(prefix)_name"),
            key: row.text(of: "\(prefix)_key")
        )
        guard let owner = JobOwner(columns) else { throw LedgerError.corruptRow("\(prefix) is \(columns)") }
        return owner
    }
}
