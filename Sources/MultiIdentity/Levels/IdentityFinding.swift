/// Something that the runtime found and that should not be: reported by ``IdentityDiagnostics``.
public struct IdentityFinding: Sendable {
    /// The kind of a finding.
    public enum Kind: Hashable, Sendable {
        /// Code asked for an identity, and none was bound.
        case noIdentity
        /// Code asked for an identity, and the one that is bound was inferred by automatic mode (``IdentityInference``).
        case inferredIdentity
        /// Work ran as an identity long after its scope had ended.
        case outlivedScope
        /// Work came further from its scope than its budget allows.
        case beyondBudget
        /// Work left its worker under another identity than it found there.
        case dirtyWorker
        /// Work of several identities came together where one was expected.
        case mixedJoin
        /// The UI level was to be set to a managed identity without a switch; it was left as it was.
        case uiSetDirectly
        /// The delegate for switches was missing, or answered more than once or too late, or nobody could be followed by
        /// the former identity.
        case switchMisused
    }

    /// The kind of finding.
    public let kind: Kind
    /// The identity that it is about; `nil` where none was bound.
    public let identity: Identity?
    /// The place of the code that it is about, if that is known.
    public let site: BindingSite?
    /// The hops by which the work came, as far as they were recorded.
    public let hops: [IdentityHop]
    /// The message for people: what was found, and what to do about it.
    public let message: String
}

extension IdentityFinding: CustomStringConvertible {
    /// The message, and a line for each hop.
    public var description: String {
        (["identity: \(message)"] + hops.map { "  came by \($0)" }).joined(separator: "\n")
    }
}

extension Duration {
    /// `0.3 seconds`: rounded to a tenth, or to milliseconds below one.
    var formattedSeconds: String {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        if milliseconds < 100 { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }
}
