import ArgumentParser
import Dispatch
import HopCases

/// Times each single hop, as its caller feels it.
struct Delays: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Times single calls, with percentiles: how long a caller is delayed."
    )

    @Option(help: "The boundary.")
    var boundary = "async"

    @Option(help: "How many calls of each way.")
    var calls = 200_000

    func run() throws {
        let cases = HopCase.all.filter { $0.boundary == boundary && $0.isTimed && !$0.isInTask }
        if cases.isEmpty { throw ValidationError("No boundary that can be timed is \"\(boundary)\".") }
        var times: [String: [UInt64]] = [:]
        for block in 0..<max(1, calls / 1_000) {
            // In turn, and each in every place: whatever else the machine does affects all of them alike.
            for hop in cases[(block % cases.count)...] + cases[..<(block % cases.count)] {
                let parts = hop.parts()
                hop.binding.around {
                    parts.hold()
                    for _ in 0..<1_000 { times[hop.way, default: []].append(Self.time { parts.enqueue(hop.batch) }) }
                    parts.drain()
                }
            }
            for _ in 0..<1_000 { times["floor", default: []].append(Self.time {}) }
        }
        print("| \(boundary), ns | p50 | p90 | p99 | p99.9 | longest |\n| --- | ---: | ---: | ---: | ---: | ---: |")
        for way in ["floor"] + cases.map(\.way) {
            let sorted = (times[way] ?? []).sorted()
            let shown = [0.5, 0.9, 0.99, 0.999, 1].map { "\(sorted[Int(Double(sorted.count - 1) * $0)])" }
            print("| \(way) | \(shown.joined(separator: " | ")) |")
        }
    }

    @inline(__always)
    private static func time(_ call: () -> Void) -> UInt64 {
        let start = DispatchTime.now().uptimeNanoseconds
        call()
        return DispatchTime.now().uptimeNanoseconds - start
    }
}
