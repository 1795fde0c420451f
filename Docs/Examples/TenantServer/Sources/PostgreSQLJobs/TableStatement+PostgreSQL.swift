package import JobQueue
package import PostgreSQLIdentity

extension PostgreSQLDatabase {
    /// Runs a statement in a transaction of its own.
    @discardableResult
    package nonisolated(nonsending) func run(_ statement: TableStatement) async throws -> PostgreSQLResult {
        try await query(statement.sql, statement.parameters)
    }
}

extension PostgreSQLTransaction {
    /// Runs a statement.
    @discardableResult
    package nonisolated(nonsending) func run(_ statement: TableStatement) async throws -> PostgreSQLResult {
        try await query(statement.sql, statement.parameters)
    }

    /// Runs statements in one round trip.
    @discardableResult
    package nonisolated(nonsending) func run(_ statements: [TableStatement]) async throws -> [PostgreSQLResult] {
        try await pipeline(statements.map { PostgreSQLStatement($0) })
    }
}

extension PostgreSQLConnection {
    /// Runs a statement that is nobody's.
    @discardableResult
    package nonisolated(nonsending) func run(_ statement: TableStatement) async throws -> PostgreSQLResult {
        try await query(statement.sql, statement.parameters)
    }
}

extension PostgreSQLStatement {
    /// The same statement for a pipeline.
    package init(_ statement: TableStatement) { self.init(statement.sql, statement.parameters) }
}

extension TableStatement {
    fileprivate var parameters: [(any PostgreSQLEncodable)?] {
        values.map { value in
            switch value {
            case .text(let text): text
            case .number(let number): number
            case .bytes(let bytes): bytes
            case .null: nil
            }
        }
    }
}

extension PostgreSQLRow: TableRow {
    package func text(of column: String) throws -> String { try decode(String.self, column) }
    package func number(of column: String) throws -> Int64 { try decode(Int64.self, column) }
    package func bytes(of column: String) throws -> [UInt8] { try decode([UInt8].self, column) }
}
