import ArgumentParser
import Dispatch
import HopCases
import MultiIdentityBenchmarking
import Synchronization

/// Times each variant of crossing a boundary against the raw one.
struct Hops: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times the variants of crossing each boundary.")

    @Option(help: "The boundaries, separated by commas; all by default.")
    var boundaries: String?

    @Option(help: "The number of rounds.")
    var rounds = 100

    @Option(help: "The number of hops in a block.")
    var hops = 1_000

    @Option(help: "The seed for the order of the rounds.")
    var seed: UInt64?

    func run() throws {
        let cases = HopCase.all.filter(\.isTimed)
        var known: [String] = []
        for hop in cases where known.last != hop.boundary { known.append(hop.boundary) }
        let wanted = boundaries?.split(separator: ",").map(String.init) ?? known
        for boundary in wanted {
            let ways = cases.filter { $0.boundary == boundary }
            guard let baseline = ways.first else {
                throw ValidationError("Unknown boundary \"\(boundary)\". There are: \(known).")
            }
            let comparison = try HopComparison(
                boundary,
                of: ways.map { $0.variant },
                against: baseline.way,
                rounds: rounds,
                hopsPerBlock: hops,
                seed: seed ?? .random(in: 0...0xFFFF_FFFF)
            )
            let report = try baseline.isInTask ? Self.runInTask(comparison) : comparison.run(progress: printProgress)
            print(report, terminator: "\n\n")
        }
    }

    private static func runInTask(_ comparison: HopComparison) throws -> HopReport {
        let ended = DispatchSemaphore(value: 0)
        let result = Mutex<Result<HopReport, any Error>?>(nil)
        Task.detached {
            let measured = Result { () throws(any Error) in try comparison.run(progress: printProgress) }
            result.withLock { $0 = measured }
            ended.signal()
        }
        ended.wait()
        guard let result = result.withLock({ $0 }) else { throw ExitCode.failure }
        return try result.get()
    }
}
