import Metrics
import MetricsIdentity
import MetricsTestKit
import MultiIdentity
import Testing

@Suite("The identity as a dimension of metrics") struct DimensionTests {
    @Test("has as many values as were named, and two more, however many users there are") func isBounded() throws {
        let metrics = TestMetrics()
        let largest = IdentityDimension(naming: [try Identity("ada@contoso.com"), try Identity("grace@contoso.com")])
        for user in ["ada@contoso.com", "Ada@Contoso.com", "grace@contoso.com"]
            + (0..<1_000).map({ "user\($0)@contoso.com" })
        {
            try withIdentity(Identity(user)) {
                Counter(label: "reports", dimensions: [largest.current], factory: metrics).increment()
            }
        }
        Counter(label: "reports", dimensions: [largest.current], factory: metrics).increment()
        let values = metrics.counters.compactMap { $0.dimensions.first { $0.0 == "identity" }?.1 }
        #expect(Set(values) == ["ada@contoso.com", "grace@contoso.com", "other", "none"])
        #expect(metrics.counters.count == 4)
        #expect(try metrics.expectCounter("reports", [("identity", "other")]).totalValue == 1_000)
        #expect(try metrics.expectCounter("reports", [("identity", "ada@contoso.com")]).totalValue == 2)
    }
}
