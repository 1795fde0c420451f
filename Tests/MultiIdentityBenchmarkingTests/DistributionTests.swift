import Testing

@testable import MultiIdentityBenchmarking

@Suite("The spread of a series") struct DistributionTests {
    @Test("is told by percentiles, whatever the order", arguments: [[1.0, 2, 3, 4, 5], [5, 3, 1, 2, 4]])
    func percentiles(_ values: [Double]) {
        let spread = Distribution(of: values)
        #expect(spread.count == 5)
        #expect([spread.minimum, spread.lowerQuartile, spread.median] == [1, 2, 3])
        #expect([spread.upperQuartile, spread.maximum] == [4, 5])
        #expect(abs(spread.percentile90 - 4.6) < 1e-9)
        #expect(abs(spread.percentile99 - 4.96) < 1e-9)
    }

    @Test("has its median between the middle two of an even number")
    func evenNumber() { #expect(Distribution(of: [10, 1, 3, 2]).median == 2.5) }

    @Test("is one value where there is one")
    func oneValue() {
        let spread = Distribution(of: [7])
        #expect([spread.minimum, spread.median, spread.percentile99, spread.maximum] == [7, 7, 7, 7])
    }
}
