/// The end of a scope or a piece of work.
///
/// An error, so that leaving by a throw takes the way that a program's own errors take through the boundaries.
enum Leaving: Error, Hashable, Sendable {
    case returned
    case thrown
    case cancelled
}
