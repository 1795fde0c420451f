/// The boundaries to break on purpose, to show that a run would notice: places in ``BoundaryCatalogue/all``.
struct Sabotage: Hashable, Sendable {
    /// The boundary whose work runs with the wrong identity.
    var work: Int?
    /// The boundary whose worker appears to lose its own identity.
    var worker: Int?
}
