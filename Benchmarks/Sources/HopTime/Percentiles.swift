import ArgumentParser
import Dispatch
import Histogram
import HopCases

/// Times each single hop, as its caller feels it.
struct Percentiles: ParsableCommand {
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
        var histograms = Dictionary(uniqueKeysWithValues: (["floor"] + cases.map(\.way)).map { ($0, Self.histogram) })
        let blocks = max(1, calls / Self.callsInBlock)
        for block in 0..<blocks {
            // In turn, and each in every place: what the machine does meanwhile befalls all of them.
            for hop in cases[(block % cases.count)...] + cases[..<(block % cases.count)] {
                let parts = hop.parts()
                hop.binding.around {
                    parts.hold()
                    for _ in 0..<Self.callsInBlock { histograms[hop.way]?.time { parts.enqueue(hop.batch) } }
                    parts.drain()
                }
            }
            for _ in 0..<Self.callsInBlock { histograms["floor"]?.time {} }
            if block % 50 == 49 { tell("\(boundary): \(block + 1) of \(blocks) blocks") }
        }
        try printJSON(histograms.mapValues(Figures.init))
    }

    private static let callsInBlock = 1_000

    /// Up to a tenth of a second, to three digits.
    private static var histogram: Histogram<UInt64> {
        Histogram(highestTrackableValue: 100_000_000, numberOfSignificantValueDigits: .three)
    }

    /// Nanoseconds.
    private struct Figures: Encodable {
        let p50, p90, p99, p999, max: UInt64

        init(_ histogram: Histogram<UInt64>) {
            p50 = histogram.valueAtPercentile(50)
            p90 = histogram.valueAtPercentile(90)
            p99 = histogram.valueAtPercentile(99)
            p999 = histogram.valueAtPercentile(99.9)
            max = histogram.max
        }
    }
}

extension Histogram<UInt64> {
    @inline(__always)
    fileprivate mutating func time(_ call: () -> Void) {
        let start = DispatchTime.now().uptimeNanoseconds
        call()
        record(Swift.min(DispatchTime.now().uptimeNanoseconds - start, 100_000_000))
    }
}
