/// A problem that the runtime found: `IdentityFinding` of MultiIdentityDiagnostics.
package struct Finding: Sendable {
    package enum Kind: Hashable, Sendable {
        case noIdentity, inferredIdentity, outlivedScope, beyondBudget, beyondLimit, dirtyWorker, mixedJoin,
            uiSetDirectly, switchMisused, refusedTaskLocal, unfairQueue
    }

    package let kind: Kind
    package let identity: Identity?
    package let site: CallSite?
    package let hops: [KeptHop]
    package let message: String
    /// The code that asked; `nil` if no code did.
    package var origin: FindingOrigin?
    /// The number of findings of this place so far.
    package var count = 1

    /// Writes it to standard error.
    package func log() { StandardError.print("\(self)") }
}

extension Finding: CustomStringConvertible {
    /// The message, with lines for the code that asked, and one for each hop.
    package var description: String {
        let times = count > 1 ? "\(count) times: " : ""
        let lines = ["identity: \(times)\(message)"] + (origin?.lines ?? []) + hops.map { "  came by \($0)" }
        return lines.joined(separator: "\n")
    }
}

/// Where code asked for an identity that it did not have.
package struct FindingOrigin: Sendable {
    /// The asking function of the program and the two that led to it, innermost first; fewer if there are not as many.
    package let callers: [String]
    /// The program's function in which the work began: what a plain queue ran.
    package let entry: String?
    /// The label of the queue; `nil` outside queues and in tasks.
    package let queue: String?
    package let isInTask: Bool
    package let thread: UInt64

    fileprivate var lines: [String] {
        let asked = callers.enumerated().map { $0 == 0 ? "  asked by \($1)" : "  called by \($1)" }
        let began = entry.map { callers.contains($0) ? [] : ["  in work that began in \($0)"] } ?? []
        let place = queue.map { "on queue \"\(EscapedText($0))\", " } ?? (isInTask ? "in a task, " : "")
        return asked + began + ["  \(place)on thread \(thread)"]
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
