import MultiIdentityManagement
import PostgreSQLIdentity

/// Columns as an account store reads them.
extension PostgreSQLRow {
    func text(_ column: Int) -> String { self[column] ?? "" }
    func optionalNumber(_ column: Int) -> Int64? { self[column].flatMap { Int64($0) } }
    func number(_ column: Int) -> Int64 { optionalNumber(column) ?? 0 }
    func bool(_ column: Int) -> Bool { self[column] == "t" }
    func moment(_ column: Int) -> WallInstant? {
        optionalNumber(column).map(WallInstant.init(milliseconds:))
    }
}
