/// The boundaries that requests choose from, as places in ``BoundaryCatalogue/all``.
struct BoundaryMix: Hashable, Sendable {
    let carried: [UInt8]
    let language: [UInt8]
    /// The package's boundaries to draw from: costly ones appear once, and the others twice.
    let draws: [UInt8]

    static let everything = BoundaryMix(names: [])

    /// Creates a mix of the named boundaries, or of all if none is named.
    init(names: [String]) {
        func places(_ isCarried: Bool) -> [UInt8] {
            BoundaryCatalogue.all.indices.filter { place in
                BoundaryCatalogue.isCarried(place) == isCarried
                    && (names.isEmpty || names.contains(BoundaryCatalogue.all[place].name))
            }.map { UInt8($0) }
        }
        carried = places(true)
        language = places(false)
        draws = carried + carried.filter { !BoundaryCatalogue.all[Int($0)].isCostly }
    }
}
