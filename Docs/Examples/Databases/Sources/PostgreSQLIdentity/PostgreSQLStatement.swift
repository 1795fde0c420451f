import CPostgreSQL
import Foundation

/// A statement and its parameters, which travel apart from it and are never part of its text.
public struct PostgreSQLStatement: Sendable {
    /// The text, with `$1`, `$2`, … where the parameters belong.
    public let sql: String
    /// The parameters; `nil` is null.
    public let parameters: [(any PostgreSQLEncodable)?]

    /// A statement.
    ///
    /// - Parameters:
    ///   - sql: The text, of one statement.
    ///   - parameters: What stands for `$1`, `$2`, …
    public init(_ sql: String, _ parameters: [(any PostgreSQLEncodable)?] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// A statement as libpq takes it.
struct EncodedStatement: Sendable {
    private let sql: String
    /// The parameters one after the other, each with a zero byte behind it.
    private(set) var bytes: [CChar] = []
    /// The place where each begins; `nil` for null.
    private var starts: [Int?] = []

    /// A statement of this package's own, without parameters.
    init(fixed sql: StaticString) { self.sql = sql.description }

    init(_ sql: String, _ parameters: [(any PostgreSQLEncodable)?]) throws(PostgreSQLError) {
        self.sql = sql
        var sql = sql
        // What libpq would cut off at a zero byte could make it another's name.
        guard sql.withUTF8({ !Self.hasZero($0) }) else { throw Self.zeroByte }
        guard !parameters.isEmpty else { return }
        starts.reserveCapacity(parameters.count)
        for parameter in parameters {
            if let parameter { try append(parameter.postgreSQLText) } else { starts.append(nil) }
        }
    }

    /// A statement of this package's own, with one parameter.
    init(fixed sql: String, _ text: String) throws(PostgreSQLError) {
        self.sql = sql
        try append(text)
    }

    private mutating func append(_ text: String) throws(PostgreSQLError) {
        let start = bytes.count
        starts.append(start)
        var text = text
        let isWhole = text.withUTF8 { utf8 in
            bytes.reserveCapacity(start + utf8.count + 1)
            bytes.append(contentsOf: UnsafeRawBufferPointer(utf8).bindMemory(to: CChar.self))
            bytes.append(0)
            return !Self.hasZero(utf8)
        }
        guard isWhole else { throw Self.zeroByte }
    }

    private static func hasZero(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        utf8.baseAddress.map { memchr($0, 0, utf8.count) != nil } ?? false
    }

    /// Puts the statement into the connection's pipeline; the answer will be text.
    ///
    /// - Returns: Whether libpq took it.
    func queue(on connection: OpaquePointer) -> Bool {
        guard !starts.isEmpty else { return PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 0) == 1 }
        return bytes.withUnsafeBufferPointer { bytes in
            let pointers = starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } }
            return PQsendQueryParams(connection, sql, Int32(pointers.count), nil, pointers, nil, nil, 0) == 1
        }
    }

    private static let zeroByte = PostgreSQLError(
        .zeroByte,
        "A statement or a parameter has a zero byte, which text in PostgreSQL cannot have. Send it as bytes, or refuse it."
    )
}

extension EncodedStatement {
    static let commit = EncodedStatement(fixed: "COMMIT")
    static let rollback = EncodedStatement(fixed: "ROLLBACK")
}

extension PostgreSQLIsolation {
    /// The statement that begins a transaction.
    var beginning: EncodedStatement {
        switch self {
        case .readCommitted: Self.readCommittedBeginning
        case .repeatableRead: Self.repeatableReadBeginning
        case .serializable: Self.serializableBeginning
        }
    }

    private static let readCommittedBeginning = EncodedStatement(fixed: "BEGIN")
    private static let repeatableReadBeginning = EncodedStatement(fixed: "BEGIN ISOLATION LEVEL REPEATABLE READ")
    private static let serializableBeginning = EncodedStatement(fixed: "BEGIN ISOLATION LEVEL SERIALIZABLE")
}
