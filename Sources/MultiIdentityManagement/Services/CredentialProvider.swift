public import MultiIdentity

/// A provider of the credentials by which a service believes that a request is an account's.
public protocol CredentialProvider: Sendable {
    /// Finds the credential of an account.
    ///
    /// - Parameters:
    ///   - identity: The account; `nil` for the user whom the provider knows already.
    ///   - prompting: Indicates whether the user may be asked.
    ///   - settings: The settings of the account, with the authority to ask.
    /// - Returns: The credential; `nil` where there is none.
    /// - Throws: What keeps it from telling.
    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: AccountSettings
    ) async throws -> AccountCredential?
}

/// A credential of an account; it never shows its token.
public struct AccountCredential: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account.
    public let identity: Identity
    /// The secret that the service takes.
    public let token: String
    /// The settings of the account, which the registry gives the service along.
    public internal(set) var settings = AccountSettings()

    /// A credential.
    ///
    /// - Parameters:
    ///   - identity: The account.
    ///   - token: The secret that the service takes.
    public init(_ identity: Identity, token: String) {
        self.identity = identity
        self.token = token
    }

    /// The account without its token.
    public var description: String { "credential of \(identity)" }
    /// The account without its token.
    public var debugDescription: String { description }
    /// The account without its token.
    public var customMirror: Mirror { Mirror(self, children: ["identity": identity]) }
}
