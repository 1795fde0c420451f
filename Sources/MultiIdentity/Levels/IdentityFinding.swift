/// A problem that the runtime found, reported by ``IdentityDiagnostics``.
public struct IdentityFinding: Sendable {
    /// The kind of a finding.
    public enum Kind: Hashable, Sendable {
        /// Code asked for an identity, and none was bound.
        case noIdentity
        /// Code asked for an identity, and automatic mode had inferred the bound one (``IdentityInference``).
        case inferredIdentity
        /// Work ran as an identity long after its scope had ended.
        case outlivedScope
        /// Work got further from its scope than its budget allows.
        case beyondBudget
        /// Work left its worker under another identity than before.
        case dirtyWorker
        /// Work of several identities was joined where one was expected.
        case mixedJoin
        /// A managed identity was set directly on the UI level, without a switch; the level was not changed.
        case uiSetDirectly
        /// The delegate for switches was missing, or answered twice or too late, or `underNobody` could not restore the former identity.
        case switchMisused
    }

    /// The kind of finding.
    public let kind: Kind
    /// The identity of the work; `nil` if none was bound.
    public let identity: Identity?
    /// The place of the code, if known.
    public let site: BindingSite?
    /// The recorded hops of the work.
    public let hops: [IdentityHop]
    /// The message for people: what was found, and what to do about it.
    public let message: String
}

extension IdentityFinding: CustomStringConvertible {
    /// The message, with one line for each hop.
    public var description: String {
        (["identity: \(message)"] + hops.map { "  came by \($0)" }).joined(separator: "\n")
    }
}

extension Duration {
    /// `0.3 s`: truncated to a tenth, or in milliseconds below 0.1 s.
    var formattedSeconds: String {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        if milliseconds < 100 { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }
}
