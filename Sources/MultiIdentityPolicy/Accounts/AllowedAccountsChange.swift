public import MultiIdentity

/// The list of allowed accounts became another one.
public struct AllowedAccountsChange: Hashable, Sendable {
    /// The accounts allowed before; `nil` for no limit.
    public let before: Set<Identity>?
    /// The accounts allowed now; `nil` for no limit.
    public let now: Set<Identity>?
}

extension AllowedAccountsChange: CustomStringConvertible {
    /// Both lists: `allowed accounts: no limit → [ada@contoso.com]`.
    public var description: String { "allowed accounts: \(Self.text(before)) → \(Self.text(now))" }

    private static func text(_ accounts: Set<Identity>?) -> String {
        accounts.map { "[\($0.sorted().map(\.description).joined(separator: ", "))]" } ?? "no limit"
    }
}
