/// The part of a boundary that the rules have to know.
struct BoundaryTraits: Hashable, Sendable {
    /// Captured when prepared; something else lets the work run.
    var isPrepared = false
    /// The work runs when somebody drains the boundary.
    var isDrained = false
    /// The call that lets the work run returns when it has run.
    var isAwaited = false
    /// True if prepared work can run again and again.
    var isReusable = false
    var isAsync = false

    /// True if letting the work run is a step of its own.
    var hasTwoSteps: Bool { isPrepared || isDrained }
}
