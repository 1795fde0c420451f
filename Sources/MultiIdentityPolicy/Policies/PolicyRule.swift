/// The rule that decided a question, with its name in a policy file, such as `saveTo.localStorage`.
public struct PolicyRule: Hashable, Sendable, CustomStringConvertible {
    /// The rule's name; for a rule of a policy, its keys joined by dots.
    public let description: String

    init(_ name: String) { description = name }

    /// There are no limits: the identity is not managed, or the data stays with it.
    package static let unlimited = PolicyRule("unlimited")
    /// The rule for work that needs an owner and has none.
    public static let withoutOwner = PolicyRule("withoutOwner")
    /// Automatic mode inferred the work's identity for display only (`IdentityInference`).
    public static let inferred = PolicyRule("inferred")
    /// The identity is signed out, being wiped, or an alias of an account: no data may leave or enter its space.
    public static let revoked = PolicyRule("revoked")
    /// The identity is managed but may not be used, so nothing is allowed (``Policy/nothing``).
    public static let noPolicy = PolicyRule("noPolicy")
    /// The list of allowed accounts.
    package static let allowedAccounts = PolicyRule("allowedAccounts")
    /// The rule for identities that data may be shared with.
    package static let shareWith = PolicyRule("shareWith")
    /// The rule for identities that a space may receive data from.
    package static let receiveFrom = PolicyRule("receiveFrom")
    /// The rule for logging data.
    package static let log = PolicyRule("log")
    /// The rule for sending data out.
    package static let sendOut = PolicyRule("sendOut")
    /// The rule for notifications about data.
    package static let notify = PolicyRule("notify")
    /// The answer of a policy decision point (see `MultiIdentityManagement`).
    package static let decisionPoint = PolicyRule("decisionPoint")
    /// The rule for other programs that act for an identity.
    package static let automate = PolicyRule("automate")
}
