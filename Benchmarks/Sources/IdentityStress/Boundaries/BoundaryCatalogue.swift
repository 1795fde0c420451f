@_spi(Catalogue) import MultiIdentityDoctor

/// All boundaries that the workload crosses: the rows of the catalogue, except those with a reason not to.
enum BoundaryCatalogue {
    private static let crossed = CataloguedBoundary.all.filter { row in
        let isBoundary = !row.traits.contains(.variant) || Addition.variants.contains(row.name)
        return row.exists && isBoundary && Addition.uncrossed[row.name] == nil
    }.map { Boundary($0, .of($0)) }

    static let carried = crossed.filter(\.isCarried)

    static let language = crossed.filter { !$0.isCarried }

    /// The package's boundaries, then the language's.
    ///
    /// A step refers to a boundary by its place here.
    static let all = carried + language

    static func isCarried(_ place: Int) -> Bool { place < carried.count }

    static func place(of name: String) -> Int? { all.firstIndex { $0.name == name } }
}
