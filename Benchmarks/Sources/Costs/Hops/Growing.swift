import ArgumentParser
import HopCases
import MultiIdentityBenchmarking

/// Times hops while something grows.
struct Growing: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Times hops among more and more identities, or scopes around them, carried and by hand."
    )

    @Option(help: "What grows: identities or scopes.")
    var what = "identities"

    @Option(help: "The sizes, separated by commas.")
    var sizes = "1,1000,1000000"

    @Option(help: "The number of rounds.")
    var rounds = 40

    func run() throws {
        let grown = Growth.all.filter { $0.what == what }
        guard let baseline = grown.last else { throw ValidationError("Unknown value \"\(what)\".") }
        for size in try sizes.split(separator: ",").map({ try number($0, in: 1...10_000_000, "--sizes") }) {
            let variants = grown.map { growth in
                let run = growth.prepare(size: size)
                return HopVariant.body(growth.way) { run(1_000) }
            }
            let comparison = try HopComparison(
                "a thousand hops, \(what): \(size)",
                of: variants,
                against: baseline.way,
                rounds: rounds,
                hopsPerBlock: 1
            )
            print(try comparison.run(progress: printProgress), terminator: "\n\n")
        }
    }
}

/// Returns an option's number.
func number(_ text: Substring, in range: ClosedRange<Int>, _ option: String) throws -> Int {
    if let number = Int(text), range.contains(number) { return number }
    throw ValidationError("\(option) has \"\(text)\"; give numbers from \(range.lowerBound) to \(range.upperBound).")
}
