import Testing

@testable import MultiIdentityBenchmarking

@Suite("A report") struct ReportTests {
    private static func report() throws -> HopReport {
        let clock = ManualClock()
        let raw = HopVariant.held("raw", hold: {}, enqueue: { clock.advance(by: 1_000) }, drain: {})
        let other = HopVariant.body("other") { clock.advance(by: 1_500) }
        return try HopComparison.madeUp("async", of: [raw, other], against: "raw", seed: 42)
            .run(measuring: [.time(on: clock), .count("allocations") { 0 }])
    }

    @Test("is a table in Markdown")
    func markdown() throws {
        #expect(
            try Self.report().description == """
                **async**

                | way | part | gauge | median | 90 % | floor | against raw | 95 % sure | verdict |
                | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
                | raw | enqueue | time | 1,000.0 ns | 1,000.0 ns | 0.0 ns | – | – | – |
                | raw | drain | time | 0.0 ns | 0.0 ns | 0.0 ns | – | – | – |
                | raw | whole | time | 1,000.0 ns | 1,000.0 ns | 0.0 ns | – | – | – |
                | other | whole | time | 1,500.0 ns | 1,500.0 ns | 0.0 ns | 1.500 | 1.500 to 1.500 | dearer |
                | raw | enqueue | allocations | 0.0 | 0.0 | 0.0 | – | – | – |
                | raw | drain | allocations | 0.0 | 0.0 | 0.0 | – | – | – |
                | raw | whole | allocations | 0.0 | 0.0 | 0.0 | – | – | – |
                | other | whole | allocations | 0.0 | 0.0 | 0.0 | +0.0 | 0.0 to 0.0 | same |

                40 rounds of 10 hops, seed 42.
                """
        )
    }

    @Test("contains every block")
    func blocks() throws { #expect(try Self.report().lines.allSatisfy { $0.blocks.count == 40 }) }

    @Test(
        "groups digits by thousands",
        arguments: [
            (1_234_567.891, 1, "1,234,567.9"), (0.05, 1, "0.1"), (-12.5, 2, "-12.50"), (999.96, 1, "1,000.0"),
            (-0.01, 1, "0.0"),
            (3, 0, "3"), (1e300, 1, "1e+300"),
        ]
    )
    func figures(_ value: Double, _ decimals: Int, _ text: String) { #expect(value.fixed(decimals) == text) }
}
