/// The values that the resolver reads: the three levels, and whether this is main.
///
/// Each is read at most once, and only if it counts.
package protocol LevelValues {
    var thread: Identity? { get }
    var ui: Identity? { get }
    var process: Identity? { get }
    var isOnMain: Bool { get }
}

/// The outcome of one walk over the levels.
@usableFromInline
package struct Resolution: Hashable, Sendable {
    @usableFromInline
    package let identity: Identity?
    package let level: EffectiveIdentity.Level?
    /// Indicates whether the walk was on main; `nil` where it never came to ask.
    package let wasOnMain: Bool?

    /// The effective identity: the first that is set of thread; UI, for UI work on main; process; else none.
    ///
    /// One pure function serves both purposes. Nobody is set, and so ends the walk.
    package static func resolve(for purpose: EffectiveIdentity.Purpose, from values: some LevelValues) -> Resolution {
        if let thread = values.thread { return Resolution(identity: thread, level: .thread, wasOnMain: nil) }
        var wasOnMain: Bool?
        if purpose == .ui {
            wasOnMain = values.isOnMain
            if wasOnMain == true, let ui = values.ui {
                return Resolution(identity: ui, level: .ui, wasOnMain: true)
            }
        }
        if let process = values.process {
            return Resolution(identity: process, level: .process, wasOnMain: wasOnMain)
        }
        return Resolution(identity: nil, level: nil, wasOnMain: wasOnMain)
    }
}
