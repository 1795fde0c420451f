import CPostgreSQL

/// A statement and its parameters, which are sent separately and are never part of its text.
package struct PostgreSQLStatement: Sendable {
    private let sql: String
    private let parameters: [String?]

    /// A statement of this package.
    package init(fixed sql: String) { (self.sql, parameters) = (sql, []) }

    package init(_ sql: String, _ parameters: [String?]) throws(PostgreSQLError) {
        // Text that libpq cut off at a zero byte could be another identity's name.
        if ([sql] + parameters.compactMap(\.self)).contains(where: { $0.utf8.contains(0) }) {
            throw PostgreSQLError(
                .zeroByte,
                "A statement or a parameter has a zero byte, which PostgreSQL does not allow in text. Remove it."
            )
        }
        (self.sql, self.parameters) = (sql, parameters)
    }

    /// Queues the statement on the connection's pipeline; the answer will be text.
    ///
    /// - Returns: Whether libpq accepted it.
    func queue(on handle: OpaquePointer) -> Bool {
        withCStrings(parameters) { pointers in
            PQsendQueryParams(handle, sql, Int32(parameters.count), nil, pointers, nil, nil, 0) == 1
        }
    }
}

/// Runs `body` with C strings, terminated by a null pointer, and with a null pointer for each text that is `nil`.
func withCStrings<Value>(_ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
    var bytes: [CChar] = []
    let starts = texts.map { text in
        text.map { text in
            defer { bytes += text.utf8CString }
            return bytes.count
        }
    }
    return bytes.withUnsafeBufferPointer { bytes in
        let pointers = starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } } + [nil]
        return body(pointers)
    }
}
