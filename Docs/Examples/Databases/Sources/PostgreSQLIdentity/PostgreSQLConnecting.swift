import CPostgreSQL

/// The opening of connections, by libpq's own rules for URLs.
package enum PostgreSQLConnecting {
    /// Throws where the URL cannot be read.
    ///
    /// It is not repeated, since it can have a password in it.
    static func check(_ url: String) throws(PostgreSQLError) {
        var message: UnsafeMutablePointer<CChar>?
        guard !url.isEmpty, !url.utf8.contains(0), let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            throw PostgreSQLError(
                .badURL,
                "The URL of a database cannot be read. Write postgresql://role@host/database, with %-codes for special letters."
            )
        }
        PQconninfoFree(options)
    }

    /// Connects, and blocks the thread meanwhile, for at most so many seconds where the URL says nothing else.
    package static func connect(_ url: String, within seconds: Int64 = 10) throws(PostgreSQLError) -> OpaquePointer {
        // What comes later has more say: the URL about the first two, and nobody about the last.
        let (names, values) = (
            ["connect_timeout", "fallback_application_name", "dbname", "client_encoding"],
            ["\(seconds)", "swift-multi-identity", url, "UTF8"]
        )
        let handle = withPointers(names) { names in withPointers(values) { PQconnectdbParams(names, $0, 1) } }
        guard let handle else { throw .cannotConnect("out of memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw .cannotConnect(String(cString: PQerrorMessage(handle)))
        }
        // Else libpq writes notices to the program's standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        return handle
    }

    private static func withPointers<Value>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        var bytes: [CChar] = []
        let starts = texts.map { text in
            defer { bytes += text.utf8CString }
            return bytes.count
        }
        return bytes.withUnsafeBufferPointer { bytes in
            let pointers = starts.map { bytes.baseAddress?.advanced(by: $0) } + [nil]
            return body(pointers)
        }
    }
}

extension PostgreSQLError {
    package static func cannotConnect(_ message: String) -> Self {
        PostgreSQLError(
            .cannotConnect,
            "No connection could be opened: \(message.trimmed). See whether the server runs, and lets the role in."
        )
    }
}
