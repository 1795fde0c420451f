import CPostgreSQL

/// The answer to one statement: its rows, and how many it changed.
public struct PostgreSQLResult: Sendable {
    /// The rows, in order.
    public let rows: [PostgreSQLRow]
    /// The number of rows that the statement returned or changed, as reported by the server; 0 if it reports none.
    public let count: Int
    /// The server's command tag, such as `COMMIT` or `INSERT 0 1`.
    package let command: String

    /// Copies libpq's result, which the caller frees.
    init(copying pointer: OpaquePointer) {
        let columns = (0..<PQnfields(pointer)).map { String(cString: PQfname(pointer, $0)) }
        rows = (0..<PQntuples(pointer)).map { row in
            let texts = (0..<Int32(columns.count)).map { column -> String? in
                guard PQgetisnull(pointer, row, column) == 0 else { return nil }
                return PQgetvalue(pointer, row, column).map { String(cString: $0) }
            }
            return PostgreSQLRow(columns: columns, texts: texts)
        }
        count = Int(String(cString: PQcmdTuples(pointer))) ?? 0
        command = PQcmdStatus(pointer).map { String(cString: $0) } ?? ""
    }
}

/// A row of a result, with its values as PostgreSQL writes them.
public struct PostgreSQLRow: Sendable {
    private let columns: [String]
    private let texts: [String?]

    init(columns: [String], texts: [String?]) { (self.columns, self.texts) = (columns, texts) }

    /// The text of a column; `nil` if it is null or missing.
    public subscript(column: String) -> String? { columns.firstIndex(of: column).flatMap { texts[$0] } }

    /// The text of a column, counted from 0; `nil` if it is null.
    public subscript(column: Int) -> String? { texts[column] }
}
