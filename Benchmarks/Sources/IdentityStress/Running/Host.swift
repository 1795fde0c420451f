import MultiIdentity

/// The levels of the process, under which some of the requests run, and all workers in between.
struct Host: Sendable {
    let process: Identity?
    let ui: Identity?
    /// The identities expected where nothing is bound.
    let bare: Expectation
    /// A snapshot without a bound identity and without levels.
    let nothing = IdentitySnapshot.capture()

    /// Creates the host with the current levels, which must not change during a run.
    init(_ levels: IdentityLevels = .shared) {
        process = levels.process
        ui = levels.ui
        var bare = Expectation(thread: nil, twin: nil, ui: ui, process: process)
        bare.isOfBareWorker = true
        self.bare = bare
    }
}
