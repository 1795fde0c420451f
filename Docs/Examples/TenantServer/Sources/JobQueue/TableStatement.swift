import Foundation
package import GRDB

/// A statement that SQLite and PostgreSQL both take.
package struct TableStatement: Sendable {
    /// A value that stands for a parameter.
    package enum Value: Sendable {
        case text(String), number(Int64), bytes([UInt8]), null
    }

    /// The text; its parameters are `$1`, `$2`, … in the order in which they first stand there, as SQLite numbers them.
    package let sql: String
    /// The values of the parameters.
    package let values: [Value]

    /// A statement of a program's own: its text is no user's.
    package init(_ sql: String, _ values: [Value] = []) {
        self.sql = sql
        self.values = values
    }
}

extension TableStatement.Value: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
}

/// A row of either, of which nothing is believed: each column can have a value of another type, and then throws.
package protocol TableRow {
    func text(of column: String) throws -> String
    func number(of column: String) throws -> Int64
    func bytes(of column: String) throws -> [UInt8]
}

extension Row: TableRow {
    package func text(of column: String) throws -> String { try decode(forColumn: column) }
    package func number(of column: String) throws -> Int64 { try decode(forColumn: column) }
    package func bytes(of column: String) throws -> [UInt8] { Array(try decode(Data.self, forColumn: column)) }
}

extension Database {
    /// Runs a statement that changes rows.
    ///
    /// - Returns: How many.
    @discardableResult
    package func change(_ statement: TableStatement) throws -> Int {
        try execute(sql: statement.sql, arguments: statement.arguments)
        return changesCount
    }

    /// Runs a statement that returns rows.
    package func rows(_ statement: TableStatement) throws -> [Row] {
        try Row.fetchAll(self, sql: statement.sql, arguments: statement.arguments)
    }
}

extension TableStatement {
    fileprivate var arguments: StatementArguments {
        StatementArguments(
            values.map { value -> (any DatabaseValueConvertible)? in
                switch value {
                case .text(let text): text
                case .number(let number): number
                case .bytes(let bytes): Data(bytes)
                case .null: nil
                }
            }
        )
    }
}
