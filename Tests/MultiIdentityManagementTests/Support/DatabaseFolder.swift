import CMultiIdentitySQLite
import Foundation
import Testing

/// A folder for a test's database, which is removed with this object.
final class DatabaseFolder: Sendable {
    let path = NSTemporaryDirectory() + "multi-identity-accounts-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    var database: String { path("accounts.sqlite") }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func make(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Changes the database, or another one, as another program would.
    func change(_ statements: String, at path: String? = nil) {
        var database: OpaquePointer?
        #expect(sqlite3_open(path ?? self.database, &database) == SQLITE_OK)
        sqlite3_busy_timeout(database, 60_000)
        #expect(sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Writes a whole file with its permissions.
    func write(_ text: String, to name: String, mode: Int) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
}
