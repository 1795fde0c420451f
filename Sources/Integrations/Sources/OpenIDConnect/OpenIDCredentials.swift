#if OpenIDConnect
public import Foundation
public import MultiIdentity
public import MultiIdentityManagement

/// The access tokens of users who have logged in, as the credentials that a service takes.
///
/// On a server nobody is there to be asked: with `prompting`, too, who has not logged in has no credential, and who asks for no
/// identity gets none. The program sends the user to ``OpenIDProvider/authorization(maximumAge:)``, and says ``signIn(_:as:)`` when they are back.
public actor OpenIDCredentials: CredentialProvider {
    private let provider: OpenIDProvider
    private let store: any OpenIDTokenStore
    private let now: @Sendable () -> Date
    /// One refresh for an identity at a time: a refresh token that is used twice is often taken for a stolen one.
    private var refreshing: [Identity: Task<OpenIDTokens?, any Error>] = [:]
    /// Counts who signed in and out, so that a refresh that was under way brings nothing back.
    private var changes: [Identity: Int] = [:]

    /// Credentials of nobody yet, unless the store has some.
    ///
    /// - Parameters:
    ///   - provider: The provider that refreshes tokens.
    ///   - store: The place where they are kept.
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

    /// Keeps the tokens of a user who has logged in.
    ///
    /// - Parameters:
    ///   - tokens: The tokens, as the provider gave them.
    ///   - account: The account that the provider's name for the user is another name of (`AccountRegistry.identity(named:)`):
    ///     the credentials are its own then.
    /// - Throws: What the store throws.
    public func signIn(_ tokens: OpenIDTokens, as account: Identity? = nil) throws {
        var kept = tokens
        kept.account = account
        changes[kept.owner, default: 0] += 1
        try store.set(kept, of: kept.owner)
    }

    /// Forgets the tokens of a user who has signed out or left.
    ///
    /// - Parameter identity: The user.
    /// - Throws: What the store throws.
    public func signOut(_ identity: Identity) throws {
        changes[identity, default: 0] += 1
        try store.set(nil, of: identity)
    }

    /// Finds the access token of an identity, refreshed where it is about to expire.
    ///
    /// - Parameters:
    ///   - identity: The identity; for `nil` there is none.
    ///   - prompting: Makes no difference, as nobody is there.
    ///   - settings: Not asked.
    /// - Returns: The credential; `nil` where the user has not logged in, or the provider wants them to do so again.
    /// - Throws: ``OpenIDError`` where the provider cannot be asked or gave another user's tokens, and what the store throws.
    public func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: AccountSettings
    ) async throws -> AccountCredential? {
        guard let identity, let kept = try store.tokens(of: identity) else { return nil }
        // Of whatever store: another's tokens are worse than none.
        guard kept.owner == identity else { return nil }
        guard kept.expires.timeIntervalSince(now()) < 60 else {
            return AccountCredential(identity, token: kept.accessToken)
        }
        return try await refreshed(kept).map { AccountCredential(identity, token: $0.accessToken) }
    }

    private func refreshed(_ kept: OpenIDTokens) async throws -> OpenIDTokens? {
        let identity = kept.owner
        if let task = refreshing[identity] { return try await task.value }
        // Not of who asks first: others wait for it, and a refresh that is cut off has used its token up.
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
            // What the provider refuses, or is another's now, is not tried again.
            let isOver = error.code == .refused || error.code == .otherSubject
            if isOver, changes[identity] == before { try store.set(nil, of: identity) }
            if error.code == .refused { return nil }
            throw error
        }
    }

    private func keep(_ tokens: OpenIDTokens, of identity: Identity) throws(OpenIDError) {
        do { try store.set(tokens, of: identity) } catch {
            throw OpenIDError(.unavailable, "The store of tokens does not take them. Look at it.")
        }
    }
}
#endif
