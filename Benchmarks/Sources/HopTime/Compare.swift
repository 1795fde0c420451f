import ArgumentParser
import Dispatch
import HopCases
import MultiIdentityBenchmarking
import Synchronization

/// Times the ways to cross each boundary against the raw one.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Times the ways to cross each boundary.")

    @Option(help: "The boundaries, with commas between them; all without this.")
    var boundaries: String?

    @Option(help: "How many rounds.")
    var rounds = 100

    @Option(help: "How many hops a block has.")
    var hops = 1_000

    @Option(help: "Draws the order of the rounds.")
    var seed: UInt64?

    @Flag(help: "Print tables in Markdown instead of JSON.")
    var markdown = false

    func run() throws {
        let seed = seed ?? .random(in: 0...0xFFFF_FFFF)
        let wanted = boundaries?.split(separator: ",").map(String.init)
        if let missing = wanted?.first(where: { !Self.boundaries.contains($0) }) {
            throw ValidationError("No boundary that can be timed is \"\(missing)\". There are: \(Self.boundaries).")
        }
        var timed: [TimedBoundary] = []
        for boundary in Self.boundaries where wanted?.contains(boundary) ?? true {
            let cases = Self.cases.filter { $0.boundary == boundary }
            guard let baseline = cases.first else { continue }
            let comparison = try HopComparison(
                boundary,
                of: cases.map(\.variant),
                against: baseline.way,
                rounds: rounds,
                hopsPerBlock: hops,
                seed: seed
            )
            let report = try baseline.isInTask ? Self.runInTask(comparison) : comparison.run(progress: tell)
            if markdown { print(report, terminator: "\n\n") }
            timed.append(TimedBoundary(boundary, seed, report))
        }
        if !markdown { try printJSON(timed) }
    }

    private static let cases = (HopCase.all + HopCase.uncounted).filter(\.isTimed)

    private static var boundaries: [String] {
        cases.map(\.boundary).reduce(into: []) { names, name in if names.last != name { names.append(name) } }
    }

    private static func runInTask(_ comparison: HopComparison) throws -> HopReport {
        let ended = DispatchSemaphore(value: 0)
        let result = Mutex<Result<HopReport, any Error>?>(nil)
        Task.detached {
            let measured = Result { () throws(any Error) in try comparison.run(progress: tell) }
            result.withLock { $0 = measured }
            ended.signal()
        }
        ended.wait()
        guard let result = result.withLock({ $0 }) else { throw ExitCode.failure }
        return try result.get()
    }
}

extension HopCase {
    /// The case as the measuring core takes it: one hop at a time, or one batch.
    var variant: HopVariant {
        let (parts, batch, binding) = (parts(), batch, binding)
        return HopVariant.held(way, hold: parts.hold, enqueue: { parts.enqueue(batch) }, drain: parts.drain)
            .within { block in binding.around(block) }
    }
}
