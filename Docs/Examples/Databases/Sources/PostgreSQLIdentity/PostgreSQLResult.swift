import CPostgreSQL
import Foundation

/// The answer to one statement: its rows, and how many it changed.
public struct PostgreSQLResult: Sendable {
    let memory: ResultMemory

    /// The rows, in order.
    public var rows: PostgreSQLRows { PostgreSQLRows(memory: memory) }

    /// The number of rows that the statement returned or changed, as the server counts it; 0 where it counts none.
    public var count: Int { Int(String(cString: PQcmdTuples(memory.pointer))) ?? 0 }

    /// True if the server says that it has committed, and not that it rolled back.
    var isCommit: Bool { PQcmdStatus(memory.pointer).map { strcmp($0, "COMMIT") == 0 } ?? false }
}

/// The memory of a result, freed with the last who reads it.
///
/// Sendable though a pointer is not: libpq does not change a result once it is returned, and nothing here does.
final class ResultMemory: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }
}

/// The rows of a result.
public struct PostgreSQLRows: RandomAccessCollection, Sendable {
    let memory: ResultMemory

    /// The first position: 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { Int(PQntuples(memory.pointer)) }
    /// The row at a position.
    public subscript(position: Int) -> PostgreSQLRow {
        precondition(position >= 0 && position < endIndex, "There is no row \(position) of \(endIndex).")
        return PostgreSQLRow(memory: memory, number: Int32(position))
    }
}

/// A row of a result; its columns are read by name.
public struct PostgreSQLRow: Sendable {
    let memory: ResultMemory
    let number: Int32

    /// The text of a column; `nil` where it is null or not there.
    public subscript(column: String) -> String? {
        number(of: column).flatMap(text)
    }

    /// Reads a column.
    ///
    /// - Parameters:
    ///   - type: What it is read as.
    ///   - column: Its name, exactly as the server returns it.
    /// - Returns: The value.
    /// - Throws: ``PostgreSQLError`` with `.notDecodable` where it is not there, null, or something else.
    public func decode<Value: PostgreSQLDecodable>(
        _ type: Value.Type = Value.self,
        _ column: String
    ) throws(PostgreSQLError) -> Value {
        if let value = try decodeIfPresent(type, column) { return value }
        throw PostgreSQLError(.notDecodable, "The column \(column) is null. Read it with decodeIfPresent(_:_:).")
    }

    /// Reads a column that can be null.
    ///
    /// - Parameters:
    ///   - type: What it is read as.
    ///   - column: Its name, exactly as the server returns it.
    /// - Returns: The value, or `nil` where it is null.
    /// - Throws: ``PostgreSQLError`` with `.notDecodable` where it is not there, or something else.
    public func decodeIfPresent<Value: PostgreSQLDecodable>(
        _ type: Value.Type = Value.self,
        _ column: String
    ) throws(PostgreSQLError) -> Value? {
        guard let index = number(of: column) else {
            let names = (0..<PQnfields(memory.pointer)).map { String(cString: PQfname(memory.pointer, $0)) }
            throw PostgreSQLError(
                .notDecodable,
                "There is no column \(column) among \(names). Select it, or correct its name."
            )
        }
        guard let text = text(index) else { return nil }
        if let value = Value(postgreSQLText: text) { return value }
        throw PostgreSQLError(.notDecodable, "The column \(column) is no \(type). Read it as another type, or cast it.")
    }

    private func number(of column: String) -> Int32? {
        // Not PQfnumber, which takes the name for SQL and lowers its letters.
        (0..<PQnfields(memory.pointer)).first { index in
            PQfname(memory.pointer, index).map { column == String(cString: $0) } ?? false
        }
    }

    func text(_ column: Int32) -> String? {
        guard PQgetisnull(memory.pointer, number, column) == 0, let start = PQgetvalue(memory.pointer, number, column)
        else { return nil }
        let length = Int(PQgetlength(memory.pointer, number, column))
        return start.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
            String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
        }
    }
}
