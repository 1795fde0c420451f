import ArgumentParser
import HopCases
import MultiIdentity
import MultiIdentityBenchmarking

/// Times hops to many queues as many identities, by one thread and by two.
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

    @Flag(help: "Turn revocation and counters on.")
    var switchedOn = false

    func run() throws {
        if switchedOn {
            IdentityRevocation.isOn = true
            CarryCounters.areOn = true
        }
        for count in try queues.split(separator: ",").map({ try number($0, in: 1...100_000, "--queues") }) {
            let many = ManyQueues(queues: count, identities: identities)
            for threads in 1...2 {
                let comparison = try HopComparison(
                    "20,000 hops, \(count) queues, \(identities) identities, \(threads) threads",
                    of: ManyQueues.ways.map { way in
                        HopVariant.body(way) { many.run(way, hops: 20_000, threads: threads) }
                    },
                    against: "raw",
                    rounds: rounds,
                    hopsPerBlock: 1
                )
                print(try comparison.run(progress: printProgress), terminator: "\n\n")
            }
        }
    }
}
