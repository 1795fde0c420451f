import CPostgreSQL

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
    /// The parameters one after the other, each with a zero byte behind it, and where each begins.
    private var bytes: [CChar] = []
    private var starts: [Int?] = []

    /// The parameters as they are sent.
    var text: [CChar] { bytes }

    /// A statement of this package's own, without parameters.
    init(fixed sql: StaticString) { self.sql = sql.description }

    init(_ statement: PostgreSQLStatement) throws(PostgreSQLError) {
        sql = statement.sql
        // What libpq would cut off at a zero byte could make it another's name.
        guard !sql.utf8.contains(0) else { throw Self.zeroByte }
        guard !statement.parameters.isEmpty else { return }
        starts.reserveCapacity(statement.parameters.count)
        for parameter in statement.parameters {
            guard let parameter else {
                starts.append(nil)
                continue
            }
            let start = bytes.count
            starts.append(start)
            var text = parameter.postgreSQLText
            let isWhole = text.withUTF8 { utf8 in
                bytes.append(contentsOf: UnsafeRawBufferPointer(utf8).bindMemory(to: CChar.self))
                return !utf8.contains(0)
            }
            guard isWhole else { throw Self.zeroByte }
            bytes.append(0)
        }
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
