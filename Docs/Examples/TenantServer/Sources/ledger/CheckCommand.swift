import ArgumentParser
import Foundation
import LedgerService

/// Looks whether every job ran once, as its owner.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Count entries, receipts and jobs; fail where a receipt is missing or was made as somebody else."
    )

    @Option(help: "The database's file.")
    var database: String

    func run() throws {
        let check = try LedgerCheck(database: database)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(check), as: UTF8.self))
        if !check.isRight { throw ExitCode.failure }
    }
}
