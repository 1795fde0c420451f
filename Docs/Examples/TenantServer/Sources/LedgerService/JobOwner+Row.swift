import GRDB
import JobQueue

extension JobOwner {
    /// The owner in three columns of a row.
    static func read(_ prefix: String, of row: Row) throws -> JobOwner {
        let columns = Columns(kind: row["\(prefix)_kind"], name: row["\(prefix)_name"], key: row["\(prefix)_key"])
        guard let owner = JobOwner(columns) else { throw LedgerError.corruptRow("\(prefix) is \(columns)") }
        return owner
    }
}

extension JobOwner.Columns {
    var arguments: StatementArguments { [kind, name, key] }
}
