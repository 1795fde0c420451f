import HopCases
@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@Suite("The cost of a boundary") struct CostCases {
    private let rows = CataloguedBoundary.all.compactMap(\.costCase)

    @Test("is counted raw and carried by the cases that its row names, which belong to no other")
    func named() {
        let cases = Set(HopCase.all.map(\.name))
        for row in rows {
            #expect(cases.contains("\(row)/raw"))
            #expect(cases.contains("\(row)/carried"))
        }
        #expect(Set(rows).count == rows.count)
    }

    /// The counted cases that cross no boundary: scopes, look-ups and leases, a handler that is never called, and one
    /// boundary with features turned on.
    private static let others: Set = [
        "scope", "scope-async", "restore-async", "read", "resolve", "diagnostics", "lease", "lease-async",
        "cancellation-handler-unused", "scoped-async",
    ]

    @Test("has a row that names it, in a task too, if it crosses a boundary")
    func counted() {
        for hop in HopCase.all {
            // The same in a program that is linked differently.
            let boundary = hop.boundary.replacing("-static", with: "")
            let name = hop.isInTask ? boundary.replacing("task-", with: "") : boundary
            #expect(rows.contains(name) != Self.others.contains(name), "\(hop.name)")
        }
    }
}
