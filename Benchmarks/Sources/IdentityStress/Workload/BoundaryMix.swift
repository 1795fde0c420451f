/// The boundaries that requests choose from, as places in ``BoundaryCatalogue/all``.
struct BoundaryMix: Hashable, Sendable {
    let carried: [UInt8]
    let language: [UInt8]
    /// The carried ones as they are drawn: those that cost ten times as much once, and the others twice.
    let draws: [UInt8]

    static let everything = BoundaryMix(names: [])

    /// The named boundaries, or all of them if none is named.
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
