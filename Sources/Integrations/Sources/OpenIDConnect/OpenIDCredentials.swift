#if OpenIDConnect
public import Foundation
public import MultiIdentity
public import MultiIdentityManagement

/// The access tokens of logged-in users, as the credentials for a service.
///
/// A server cannot prompt a user: even with `prompting`, a user who has not logged in has no credential, and neither has a request
/// without an identity. Send the user to ``OpenIDProvider/authorization(maximumAge:)``, and then call ``signIn(_:as:)``.
public actor OpenIDCredentials: CredentialProvider {
    private let provider: OpenIDProvider
    private let store: any OpenIDTokenStore
    private let now: @Sendable () -> Date
    /// One refresh per identity at a time: a refresh token that is used twice is often treated as stolen.
    private var refreshing: [Identity: Task<OpenIDTokens?, any Error>] = [:]
    /// Counts sign-ins and sign-outs, so that a running refresh restores nothing.
    private var changes: [Identity: Int] = [:]

    /// Creates credentials, initially only those in the store.
    ///
    /// - Parameters:
    ///   - provider: The provider that refreshes tokens.
    ///   - store: The store of the tokens.
    ///   - now: The time of day, for tests.
    public init(
        _ provider: OpenIDProvider,
        store: any OpenIDTokenStore = OpenIDTokensInMemory(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.provider = provider
        self.store = store
        self.now = now
    }

    /// Stores the tokens of a user who has logged in.
    ///
    /// - Parameters:
    ///   - tokens: The provider's tokens.
    ///   - account: The account, if the provider's name for the user is an alias of it (`AccountRegistry.identity(named:)`):
    ///     the credentials then belong to the account.
    /// - Throws: The store's error.
    public func signIn(_ tokens: OpenIDTokens, as account: Identity? = nil) throws {
        var kept = tokens
        kept.account = account
        changes[kept.owner, default: 0] += 1
        try store.set(kept, of: kept.owner)
    }

    /// Removes the tokens of a user who has signed out or left.
    ///
    /// - Parameter identity: The user.
    /// - Throws: The store's error.
    public func signOut(_ identity: Identity) throws {
        changes[identity, default: 0] += 1
        try store.set(nil, of: identity)
    }

    /// Returns the access token of an identity, refreshed if it is about to expire.
    ///
    /// - Parameters:
    ///   - identity: The identity; `nil` has no token.
    ///   - prompting: Has no effect.
    ///   - settings: Has no effect.
    /// - Returns: The credential; `nil` if the user has not logged in, or has to log in again.
    /// - Throws: ``OpenIDError`` if the provider is not available or sent another user's tokens; or the store's error.
    public func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: AccountSettings
    ) async throws -> AccountCredential? {
        guard let identity, let kept = try store.tokens(of: identity) else { return nil }
        // For any store: another user's tokens are worse than none.
        guard kept.owner == identity else { return nil }
        guard kept.expires.timeIntervalSince(now()) < 60 else {
            return AccountCredential(identity, token: kept.accessToken)
        }
        return try await refreshed(kept).map { AccountCredential(identity, token: $0.accessToken) }
    }

    private func refreshed(_ kept: OpenIDTokens) async throws -> OpenIDTokens? {
        let identity = kept.owner
        if let task = refreshing[identity] { return try await task.value }
        // Detached from the first caller: others wait for it, and an interrupted refresh has used its token up.
        let before = changes[identity]
        let task = Task.detached { try await self.refresh(kept, since: before) }
        refreshing[identity] = task
        return try await task.value
    }

    private func refresh(_ kept: OpenIDTokens, since before: Int?) async throws -> OpenIDTokens? {
        let identity = kept.owner
        defer { refreshing[identity] = nil }
        do {
            var tokens = try await provider.refresh(kept)
            tokens.account = kept.account
            guard changes[identity] == before else { return nil }
            try keep(tokens, of: identity)
            return tokens
        } catch {
            // A token that the provider refuses, or that is now another user's, is not tried again.
            let isOver = error.code == .refused || error.code == .otherSubject
            if isOver, changes[identity] == before { try store.set(nil, of: identity) }
            if error.code == .refused { return nil }
            throw error
        }
    }

    private func keep(_ tokens: OpenIDTokens, of identity: Identity) throws(OpenIDError) {
        do { try store.set(tokens, of: identity) } catch {
            throw OpenIDError(.unavailable, "The token store failed. Check it.")
        }
    }
}
#endif
