import ArgumentParser
import Foundation

@main
struct Costs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Measures the cost of hops, look-ups and protection, each against its own baseline.",
        discussion: """
            Build it for release, on a machine that does little else. Where a figure has a limit, the limit is printed with \
            it, and the exit status is 1 if one is passed. Instructions of hops are counted by Benchmarks/measure-hops.
            """,
        subcommands: [
            Hops.self, Growing.self, Memory.self, Fairness.self, AccountedTime.self, Leases.self, Owners.self,
            Registry.self, Protection.self, LeaseLoop.self, OwnerLoop.self, RegistryLoop.self,
        ]
    )
}

/// Prints a line to standard error.
func printProgress(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
}
