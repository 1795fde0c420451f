/// The rule that decided a question, named as in a file of policies: `saveTo.localStorage`.
public struct PolicyRule: Hashable, Sendable {
    /// The rule's name; for a rule of a policy, the keys that lead to it there, with dots between.
    public let name: String

    init(_ name: String) { self.name = name }

    /// No limits: whoever it is about is not managed, or it stays with its identity.
    public static let unlimited = PolicyRule("unlimited")
    /// What becomes of work that needs an owner and has none.
    public static let withoutOwner = PolicyRule("withoutOwner")
    /// The work's identity was inferred by automatic mode and is only shown (`IdentityInference`).
    public static let inferred = PolicyRule("inferred")
    /// Whoever was signed out or is being wiped gives nothing and gets nothing.
    public static let revoked = PolicyRule("revoked")
    /// The list of allowed accounts.
    public static let allowedAccounts = PolicyRule("allowedAccounts")
    /// Whom data may be shared with.
    public static let shareWith = PolicyRule("shareWith")
    /// Whose data may come into an identity's space.
    public static let receiveFrom = PolicyRule("receiveFrom")
    /// Whether data may be logged.
    public static let log = PolicyRule("log")
    /// Whether data may be sent out.
    public static let sendOut = PolicyRule("sendOut")
}

extension PolicyRule: CustomStringConvertible {
    /// The rule's name.
    public var description: String { name }
}
