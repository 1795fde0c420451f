/// A problem that the runtime found: `IdentityFinding` of MultiIdentityDiagnostics.
package struct Finding: Sendable {
    package enum Kind: Hashable, Sendable {
        case noIdentity, inferredIdentity, outlivedScope, beyondBudget, dirtyWorker, mixedJoin, uiSetDirectly,
            switchMisused
    }

    package let kind: Kind
    package let identity: Identity?
    package let site: CallSite?
    package let hops: [KeptHop]
    package let message: String

    /// Writes it to standard error.
    package func log() { StandardError.print("\(self)") }
}

extension Finding: CustomStringConvertible {
    /// The message, with one line for each hop.
    package var description: String {
        (["identity: \(message)"] + hops.map { "  came by \($0)" }).joined(separator: "\n")
    }
}

/// The response to findings, if they are not just logged.
package protocol FindingResponse: Sendable {
    func respond(to finding: Finding)
}

extension Duration {
    /// `0.3 s`: truncated to a tenth, or in milliseconds below 0.1 s.
    var formattedSeconds: String {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        if milliseconds < 100 { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }
}
