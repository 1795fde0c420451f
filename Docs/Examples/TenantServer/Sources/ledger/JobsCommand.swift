import ArgumentParser
import Foundation
import GRDB
import JobQueue

/// Shows what was put aside and why, has it begun anew, and removes what was done long ago.
struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "List the jobs that were put aside and why; begin some anew; remove old ones that are done.",
        discussion: """
            Works on any database that has a job queue, while its service runs or not. Each job that was put aside is \
            a line of JSON; the last line counts jobs by state.
            """
    )

    @Option(help: "The database's file.")
    var database: String

    @Option(help: ArgumentHelp("Have this job begun anew, as its owner; can be given often.", valueName: "id"))
    var retry: [String] = []

    @Option(help: ArgumentHelp("Remove jobs that were done more than so many days ago.", valueName: "days"))
    var purge: Int?

    func validate() throws {
        if let purge, !(0...36_500).contains(purge) { throw ValidationError("--purge takes 0 to 36500 days.") }
    }

    func run() throws {
        guard FileManager.default.fileExists(atPath: database) else {
            throw ValidationError("There is no file \(database): give the database that the service has.")
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: database, configuration: configuration)
        let unknown = try queue.write { db in
            if let purge {
                let moment = Int64(Date().timeIntervalSince1970 * 1_000) - Int64(purge) * 86_400_000
                try JobQueue.removeDone(before: moment, in: db)
            }
            return try retry.filter { try !JobQueue.beginAnew($0, in: db) }
        }
        let (letters, accounts) = try queue.read { db in
            (try JobQueue.deadLetters(in: db), try JobQueue.accounts(in: db))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        for letter in letters {
            print(String(decoding: try encoder.encode(letter), as: UTF8.self))
        }
        print(String(decoding: try encoder.encode(accounts), as: UTF8.self))
        guard unknown.isEmpty else {
            throw ValidationError("No job of these ids was put aside: \(unknown.joined(separator: ", ")).")
        }
    }
}
