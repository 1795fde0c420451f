import ArgumentParser
import Foundation
import JobQueue
import LedgerService

/// Looks whether every job ran once, as its owner.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Count entries, receipts and jobs; fail where a receipt is missing or was made as somebody else."
    )

    @Option(help: "The database's file, or its postgresql:// URL as a role that sees all rows, as a superuser.")
    var database: String

    func run() async throws {
        let check =
            if try DatabaseLocation.isURL(database) {
                try await LedgerCheck(postgreSQL: database)
            } else {
                try LedgerCheck(database: database)
            }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(check), as: UTF8.self))
        if !check.isRight { throw ExitCode.failure }
    }
}
