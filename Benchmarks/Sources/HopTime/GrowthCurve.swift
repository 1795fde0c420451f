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
            let ways = grown.map { String($0.name.dropFirst(what.count + 1)) }
            let variants = zip(ways, grown).map { way, growth in
                let run = growth.prepare(size: size)
                return HopVariant.body(way) { run(Self.hops) }
            }
            let baseline = ways.contains("handwritten") ? "handwritten" : ways[0]
            let report = try HopComparison(
                "\(what) \(size)",
                of: variants,
                against: baseline,
                rounds: rounds,
                hopsPerBlock: 1
            ).run(progress: tell)
            for line in report.lines {
                points.append(
                    Point(
                        size: size,
                        way: line.variant,
                        nanoseconds: line.median / Double(Self.hops),
                        ratio: line.ratio.map(TimedRatio.init),
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
        let ratio: TimedRatio?
        let verdict: String?
    }
}
