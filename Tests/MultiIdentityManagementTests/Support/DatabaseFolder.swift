import Foundation

/// A folder for a database, of a test's own, which goes with it.
final class DatabaseFolder: Sendable {
    let path = NSTemporaryDirectory() + "multi-identity-accounts-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    var database: String { path + "/accounts.sqlite" }
}
