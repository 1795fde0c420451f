import DatabaseServers
import Foundation
import JobQueue
import PostgreSQLIdentity

@testable import TenantServer

/// A database of jobs of its own.
struct TestedJobs {
    /// The database that has its rows.
    enum Engine: CaseIterable {
        case sqlite, postgreSQL
    }

    /// One for all tests: to start it takes longer than they do.
    private static let servers = Result { try DatabaseServers(schema: TenantServer.postgreSQLSchema) }

    let folder: String
    let location: DatabaseLocation
    private let url: (@Sendable (String) -> String)?

    init(on engine: Engine) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tenant-jobs-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        self.folder = folder.path(percentEncoded: false)
        switch engine {
        case .sqlite:
            url = nil
            location = .file(self.folder + "/jobs.sqlite")
        case .postgreSQL:
            let servers = try Self.servers.get()
            let name = try servers.makeDatabase()
            let url = { @Sendable role in servers.url(role, through: .database, database: name) }
            self.url = url
            location = .postgreSQL(url: url("app"), workers: url("job_worker"))
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// A connection to PostgreSQL that sees all rows.
    func connection() async throws -> PostgreSQLConnection {
        guard let url else { throw CocoaError(.featureUnsupported) }
        return try await PostgreSQLConnection.open(url("owner"))
    }
}
