/// The first thing in which the code did not do what the rules say.
struct Divergence: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Something else was bound, in force or effective.
        case identity
        /// Something was heard that the step does not lead to.
        case event
        /// The step had not come to its end by the deadline.
        case stuck
        /// Work was kept when nothing could run it any more.
        case leak
    }

    var kind: Kind
    /// The place where it was found, as a person reads it.
    var place: String
    var what: String
    var expected: String
    var found: String
}
