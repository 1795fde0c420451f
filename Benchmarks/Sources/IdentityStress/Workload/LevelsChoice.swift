import MultiIdentity

/// Process and UI levels that a request can have of its own.
struct LevelsChoice: Sendable {
    let process: Identity?
    let ui: Identity?
    /// The levels themselves: shared by all requests that chose them, and never changed.
    let levels: IdentityLevels

    init(process: Identity?, ui: Identity?) {
        self.process = process
        self.ui = ui
        levels = IdentityLevels(process: process, ui: ui)
    }

    /// All that two levels can hold: unset, nobody, or somebody; each with each.
    static let all: [LevelsChoice] = {
        // `try?` cannot hide a refusal: these names are plain ASCII, and a test asks for all three to differ.
        let processes = [nil, .nobody, try? Identity("process@levels.example")]
        let uis = [nil, .nobody, try? Identity("ui@levels.example")]
        return processes.flatMap { process in uis.map { ui in LevelsChoice(process: process, ui: ui) } }
    }()
}
