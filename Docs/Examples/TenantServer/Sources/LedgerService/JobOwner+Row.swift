import GRDB
import JobQueue

extension JobOwner {
    /// The owner in three columns of a row.
    static func read(_ prefix: String, of row: Row) throws -> JobOwner {
        let columns = try Columns(
            kind: row.decode(forColumn: "\(prefix)_kind"),
            name: row.decode(forColumn: "\(prefix)_name"),
            key: row.decode(forColumn: "\(prefix)_key")
        )
        guard let owner = JobOwner(columns) else { throw LedgerError.corruptRow("\(prefix) is \(columns)") }
        return owner
    }
}

extension JobOwner.Columns {
    var arguments: StatementArguments { [kind, name, key] }
}
