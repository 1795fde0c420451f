/// What is broken on purpose, to show that it would be noticed: places in ``BoundaryCatalogue/all``.
struct Sabotage: Hashable, Sendable {
    /// The boundary whose work runs as the wrong identity.
    var work: Int?
    /// The boundary whose worker seems not to have its own identity back.
    var worker: Int?
}
