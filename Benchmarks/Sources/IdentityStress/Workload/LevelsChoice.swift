import MultiIdentity

/// Process and UI levels that a request can have for itself.
struct LevelsChoice: Sendable {
    let process: Identity?
    let ui: Identity?
    /// The levels, shared by all requests that chose them, and never changed.
    let levels: IdentityLevels

    init(process: Identity?, ui: Identity?) {
        self.process = process
        self.ui = ui
        levels = IdentityLevels(process: process, ui: ui)
    }

    /// All combinations of the two levels: unset, nobody or an identity.
    static let all: [LevelsChoice] = {
        // `try?` cannot hide an error: these names are plain ASCII, and a test requires all three to differ.
        let processes = [nil, .nobody, try? Identity("process@levels.example")]
        let uis = [nil, .nobody, try? Identity("ui@levels.example")]
        return processes.flatMap { process in uis.map { ui in LevelsChoice(process: process, ui: ui) } }
    }()
}
