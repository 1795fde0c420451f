import Foundation
import GRDB
import GRDBIdentity
import Synchronization

/// A database in a folder of its own, with numbered connections.
final class TemporaryPool: Sendable {
    let path: String
    private let folder: URL
    private static let last = Atomic(0)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.appending(path: "notes.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.addCurrentIdentity()
        configuration.prepareDatabase { db in
            let number = last.wrappingAdd(1, ordering: .relaxed).newValue
            db.add(function: DatabaseFunction("connection_number", argumentCount: 0, pure: true) { _ in number })
        }
        return configuration
    }

    func pool() throws -> DatabasePool { try DatabasePool(path: path, configuration: Self.configuration) }

    /// One connection, on which a transaction can go on from one access to the next: for leases, which hold it meanwhile.
    func queue() throws -> DatabaseQueue {
        var configuration = Self.configuration
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
