/// What a token said, once it has been verified.
struct VerifiedToken: Sendable {
    /// The user's name.
    let subject: String
    /// What the token allows besides the user's own work.
    let scopes: Set<String>

    /// No token was verified: an empty name is no identity's.
    static let none = VerifiedToken(subject: "", scopes: [])

    var isOperators: Bool { scopes.contains("operator") }
}
