import ArgumentParser
import HopCases
import MultiIdentityBenchmarking

/// Times hops while something grows.
struct GrowthCurve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times hops at several sizes of something, carried and by hand."
    )

    @Option(help: "What grows: identities or scopes.")
    var what = "identities"

    @Option(help: "The sizes, with commas between them.")
    var sizes = "1,10,100,1000,10000,100000,1000000"

    @Option(help: "How many rounds.")
    var rounds = 40

    private static let hops = 5_000

    func run() throws {
        var points: [Point] = []
        for size in try sizes.split(separator: ",").map(Self.size) {
            let grown = Growth.all.filter { $0.name.hasPrefix("\(what)/") }
            if grown.isEmpty { throw ValidationError("Nothing that grows is \"\(what)\".") }
            let variants = grown.map { growth in
                let run = growth.prepare(size: size)
                return HopVariant.body(String(growth.name.dropFirst(what.count + 1))) { run(Self.hops) }
            }
            var options = HopComparison.Options()
            options.hopsPerBlock = 1
            options.rounds = rounds
            let baseline = variants.contains { $0.name == "handwritten" } ? "handwritten" : variants[0].name
            let report = try HopComparison("\(what) \(size)", of: variants, against: baseline, options: options)
                .run(progress: tell)
            for line in report.lines {
                points.append(
                    Point(
                        size: size,
                        way: line.variant,
                        nanoseconds: line.figure.median / Double(Self.hops),
                        ratio: line.ratio,
                        verdict: line.verdict?.description
                    )
                )
            }
        }
        try printJSON(points)
    }

    private static func size(_ text: Substring) throws -> Int {
        guard let size = Int(text), (1...10_000_000).contains(size) else {
            throw ValidationError("--sizes has \"\(text)\"; give numbers from 1 to 10000000.")
        }
        return size
    }

    private struct Point: Encodable {
        let size: Int
        let way: String
        let nanoseconds: Double
        let ratio: Interval?
        let verdict: String?
    }
}
