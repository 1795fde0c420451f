import MultiIdentity

/// The levels of the process, under which a part of the requests run, and all workers between them.
struct Host: Sendable {
    let process: Identity?
    let ui: Identity?
    /// The identities to be found where nothing is bound.
    let bare: Expectation
    /// A snapshot of where nothing is bound, and no levels either.
    let nothing = IdentitySnapshot.capture()

    /// The levels as they are set now; nobody changes them during a run.
    init(_ levels: IdentityLevels = .shared) {
        process = levels.process
        ui = levels.ui
        bare = Expectation(thread: nil, twin: nil, ui: ui, process: process)
    }
}
