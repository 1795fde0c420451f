public import MultiIdentity

/// A provider of credentials, which authenticate an account to a service.
public protocol CredentialProvider: Sendable {
    /// Returns the credential of an account.
    ///
    /// - Parameters:
    ///   - identity: The account; `nil` for the user that the provider already knows.
    ///   - prompting: Whether the user may be prompted.
    ///   - settings: The settings of the account, with the authority to ask.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: Any error if the provider cannot answer.
    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: AccountSettings
    ) async throws -> AccountCredential?
}

/// A credential of an account; its description and mirror do not show the token.
public struct AccountCredential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The account.
    public let identity: Identity
    /// The secret for the service.
    public let token: String
    /// The settings of the account, which the registry passes to the service.
    public internal(set) var settings = AccountSettings()

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - identity: The account.
    ///   - token: The secret for the service.
    public init(_ identity: Identity, token: String) {
        self.identity = identity
        self.token = token
    }

    /// The account without its token.
    public var description: String { "credential of \(identity)" }
    /// The account without its token.
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}
