@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@testable import IdentityStress

@Suite("The catalogue of boundaries") struct CataloguedBoundaries {
    private let names = Set(CataloguedBoundary.all.map(\.name))

    @Test("has each row crossed, or a reason why not, and never both")
    func rows() {
        let crossed = Set(BoundaryCatalogue.all.map(\.name))
        for row in CataloguedBoundary.all where !row.traits.contains(.variant) {
            #expect(crossed.contains(row.name) != (Addition.uncrossed[row.name] != nil), "\(row)")
        }
    }

    @Test("has a row for everything that the workload adds or leaves out")
    func entries() {
        for name in Addition.table.keys { #expect(BoundaryCatalogue.place(of: name) != nil, "\(name)") }
        for name in Addition.variants.union(Addition.uncrossed.keys) { #expect(names.contains(name), "\(name)") }
    }
}
