import MultiIdentityDiagnostics

@testable import MultiIdentity

/// Custom levels with diagnostics that record their findings.
struct FindingNotes: Sendable {
    let levels: IdentityLevels
    let notes = Notes<IdentityFinding>()

    var all: [IdentityFinding] { notes.all }

    init(process: Identity? = nil, _ configure: (IdentityDiagnostics) -> Void) {
        levels = IdentityLevels(process: process)
        let notes = notes
        levels.diagnostics.response = .report { notes.add($0) }
        configure(levels.diagnostics)
    }
}
