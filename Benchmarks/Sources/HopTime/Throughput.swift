import ArgumentParser
import HopCases
import MultiIdentity
import MultiIdentityBenchmarking

/// Times hops to many queues as many identities, handed over by one thread and by two.
struct Throughput: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times hops to many queues as many identities, by one thread and by two, against raw."
    )

    @Option(help: "How many queues, with commas between the numbers.")
    var queues = "1,16,1024"

    @Option(help: "How many identities.")
    var identities = 1_000

    @Option(help: "How many rounds.")
    var rounds = 40

    @Option(help: "How many hops a block has.")
    var hops = 20_000

    @Flag(help: "Turn revocation and counters on.")
    var switchedOn = false

    func run() throws {
        if switchedOn {
            IdentityRevocation.isOn = true
            CarryCounters.areOn = true
        }
        var points: [Point] = []
        for count in try queues.split(separator: ",").map(Self.number) {
            let many = ManyQueues(queues: count, identities: identities)
            for threads in 1...2 {
                let name = "\(count) queues, \(identities) identities, \(threads) threads"
                let variants = ManyQueues.ways.map { way in
                    HopVariant.body(way) { many.run(way, hops: hops, threads: threads) }
                }
                let report = try HopComparison(name, of: variants, against: "raw", rounds: rounds, hopsPerBlock: 1)
                    .run(progress: tell)
                points += report.lines.map { line in
                    Point(
                        queues: count,
                        identities: identities,
                        threads: threads,
                        way: line.variant,
                        nanoseconds: line.median / Double(hops),
                        ratio: line.ratio.map(TimedRatio.init),
                        verdict: line.verdict?.description
                    )
                }
            }
        }
        try printJSON(points)
    }

    private static func number(_ text: Substring) throws -> Int {
        guard let number = Int(text), (1...100_000).contains(number) else {
            throw ValidationError("--queues has \"\(text)\"; give numbers from 1 to 100000.")
        }
        return number
    }

    private struct Point: Encodable {
        let queues, identities, threads: Int
        let way: String
        let nanoseconds: Double
        let ratio: TimedRatio?
        let verdict: String?
    }
}
