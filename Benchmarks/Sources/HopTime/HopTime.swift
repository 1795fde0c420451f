import ArgumentParser
import Foundation

@main
struct HopTime: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hop-time",
        abstract: "Measures the time and the memory of hops: raw, by hand, and carried, side by side in one run.",
        discussion: "Results are JSON on the standard output; progress goes to the standard error.",
        subcommands: [
            Compare.self, Percentiles.self, GrowthCurve.self, Throughput.self, PendingMemory.self, IdentityMemory.self,
        ]
    )
}

/// Prints a result as JSON.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try FileHandle.standardOutput.write(contentsOf: encoder.encode(value) + Data("\n".utf8))
}

/// Prints a line to standard error.
func tell(_ line: some CustomStringConvertible) {
    try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
}
