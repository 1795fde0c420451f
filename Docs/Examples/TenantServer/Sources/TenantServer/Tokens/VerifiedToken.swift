/// The content of a token, once it has been verified.
struct VerifiedToken: Sendable {
    /// The user's name.
    let subject: String
    /// The rights that the token gives besides the user's own work.
    let scopes: Set<String>

    /// No token was verified: an empty name is no identity's.
    static let none = VerifiedToken(subject: "", scopes: [])

    var isOperators: Bool { scopes.contains("operator") }
}
