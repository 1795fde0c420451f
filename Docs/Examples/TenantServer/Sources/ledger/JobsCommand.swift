import ArgumentParser
import Foundation
import GRDB
import JobQueue
import PostgreSQLIdentity
import PostgreSQLJobs

/// Shows what was put aside and why, has it begun anew, and removes what was done long ago.
struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "List the jobs that were put aside and why; begin some anew; remove old ones that are done.",
        discussion: """
            Works on any database that has a job queue, while its service runs or not. Each job that was put aside is \
            a line of JSON; the last line counts jobs by state.
            """
    )

    @Option(help: "The database's file, or its postgresql:// URL as the role job_worker.")
    var database: String

    @Option(help: ArgumentHelp("Have this job begun anew, as its owner; can be given often.", valueName: "id"))
    var retry: [String] = []

    @Option(help: ArgumentHelp("Remove jobs that were done more than so many days ago.", valueName: "days"))
    var purge: Int?

    func validate() throws {
        if let purge, !(0...36_500).contains(purge) { throw ValidationError("--purge takes 0 to 36500 days.") }
    }

    func run() async throws {
        let moment = purge.map { Int64(Date().timeIntervalSince1970 * 1_000) - Int64($0) * 86_400_000 }
        let found = try await DatabaseLocation.isURL(database) ? onPostgreSQL(moment) : inFile(moment)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        for letter in found.letters {
            print(String(decoding: try encoder.encode(letter), as: UTF8.self))
        }
        print(String(decoding: try encoder.encode(found.accounts), as: UTF8.self))
        guard found.unknown.isEmpty else {
            throw ValidationError("No job of these ids was put aside: \(found.unknown.joined(separator: ", ")).")
        }
    }

    private struct Found {
        var unknown: [String] = []
        var letters: [JobQueue.DeadLetter] = []
        var accounts = JobQueue.Accounts()
    }

    private func inFile(_ moment: Int64?) throws -> Found {
        guard FileManager.default.fileExists(atPath: database) else {
            throw ValidationError("There is no file \(database): give the database that the service has.")
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: database, configuration: configuration).write { db in
            if let moment { try JobQueue.removeDone(before: moment, in: db) }
            let unknown = try retry.filter { try !JobQueue.beginAnew($0, in: db) }
            return Found(
                unknown: unknown,
                letters: try JobQueue.deadLetters(in: db),
                accounts: try JobQueue.accounts(in: db)
            )
        }
    }

    private func onPostgreSQL(_ moment: Int64?) async throws -> Found {
        let connection = try await PostgreSQLConnection.open(database)
        defer { connection.close() }
        guard try await JobQueue.areAllSeen(in: connection) else {
            throw ValidationError("The URL's role does not see everybody's jobs: give the role job_worker.")
        }
        var found = Found()
        if let moment { try await JobQueue.removeDone(before: moment, in: connection) }
        for id in retry where try await !JobQueue.beginAnew(id, in: connection) { found.unknown.append(id) }
        found.letters = try await JobQueue.deadLetters(in: connection)
        found.accounts = try await JobQueue.accounts(in: connection)
        return found
    }
}
