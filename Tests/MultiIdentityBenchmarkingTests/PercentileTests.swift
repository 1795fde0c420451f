import Testing

@testable import MultiIdentityBenchmarking

@Suite("A percentile") struct PercentileTests {
    @Test("does not depend on the order of the values", arguments: [[1.0, 2, 3, 4, 5], [5, 3, 1, 2, 4]])
    func percentiles(_ values: [Double]) {
        #expect([0, 0.25, 0.5, 0.75, 1].map { percentile($0, of: values) } == [1, 2, 3, 4, 5])
        #expect(abs(percentile(0.9, of: values) - 4.6) < 1e-9)
        #expect(abs(percentile(0.99, of: values) - 4.96) < 1e-9)
    }

    @Test("of one half lies between the middle two of an even number")
    func evenNumber() { #expect(percentile(0.5, of: [10, 1, 3, 2]) == 2.5) }

    @Test("is the value itself if there is only one")
    func oneValue() { #expect([0, 0.5, 1].map { percentile($0, of: [7]) } == [7, 7, 7]) }
}
