/// The boundaries broken on purpose, to show that it would be noticed: places in ``BoundaryCatalogue/all``.
struct Sabotage: Hashable, Sendable {
    /// The boundary with work that runs as the wrong identity.
    var work: Int?
    /// The boundary with a worker that seems not to have its own identity back.
    var worker: Int?
}
