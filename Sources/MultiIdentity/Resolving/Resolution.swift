/// The values that the resolver reads: the three levels, and whether this is main.
///
/// Each is read at most once, and only if needed.
package protocol LevelValues {
    var thread: Identity? { get }
    var ui: Identity? { get }
    var process: Identity? { get }
    var isOnMain: Bool { get }
}

/// The result of one resolution.
@usableFromInline
package struct Resolution: Hashable, Sendable {
    @usableFromInline
    package let identity: Identity?
    package let level: EffectiveIdentity.Level?
    /// Indicates whether the resolution was on main; `nil` if it did not need to know.
    package let wasOnMain: Bool?

    /// Returns the effective identity: the first set level of thread; UI, for UI work on main; process; otherwise none.
    ///
    /// One pure function serves both purposes. Nobody counts as set, and so ends the search.
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
