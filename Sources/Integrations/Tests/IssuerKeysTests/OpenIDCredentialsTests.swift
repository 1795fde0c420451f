import MultiIdentity
import MultiIdentityManagement
import OpenIDConnect
import Synchronization
import Testing

@Suite("The credential of a user who has logged in") struct OpenIDCredentialsTests {
    private let (ada, bob): (Identity, Identity)
    private let tested: TestedProvider
    private let store = OpenIDTokensInMemory()
    private let credentials: OpenIDCredentials

    init() async throws {
        (ada, bob) = (try Identity("ada@contoso.com"), try Identity("bob@contoso.com"))
        tested = try await TestedProvider()
        credentials = OpenIDCredentials(tested.provider, store: store, now: { [time = tested.time] in time.now })
        #expect(try await token(ada) == nil, "no one is there to be asked")
        try await credentials.signIn(tested.logIn())
        #expect(try await token(ada) == "access-2")
    }

    private func token(_ identity: Identity?) async throws -> String? {
        let credential = try await credentials.credential(for: identity, prompting: true, settings: AccountSettings())
        if let credential { #expect(credential.identity == identity) }
        return credential?.token
    }

    @Test("is their access token, refreshed in one request for everyone who waits")
    func isTheirAccessToken() async throws {
        for other in [bob, nil] { #expect(try await token(other) == nil) }
        tested.time.advance(by: 541)
        let before = tested.made.count("/token")
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await token(ada) } }
            for try await token in group { #expect(token == "access-3") }
        }
        #expect(tested.made.count("/token") == before + 1)
        // The refresh token was replaced, as providers do; the new one works, with an ID token or without.
        tested.made.state.withLock { $0.hasIDToken = false }
        tested.time.advance(by: 600)
        #expect(try await token(ada) == "access-4")
        try await credentials.signOut(ada)
        #expect(try await token(ada) == nil)
    }

    @Test("is the account's if the provider's name is an alias of it, also after a refresh")
    func isTheAccounts() async throws {
        try await credentials.signIn(tested.logIn(), as: bob)
        let first = try await token(bob)
        let hers = try await token(ada)
        #expect(first != nil && first != hers)
        tested.time.advance(by: 541)
        let second = try await token(bob)
        #expect(second != nil && second != first)
        try await credentials.signOut(bob)
        #expect(try await token(bob) == nil)
    }

    @Test("is removed if a refresh names another user", arguments: ["sub", "email"])
    func isGone(claim: String) async throws {
        tested.made.state.withLock { $0.claimChanges = [claim: "bob@contoso.com"] }
        tested.time.advance(by: 600)
        #expect(await TestedProvider.code { _ = try await token(ada) } == .otherSubject)
        for user in [ada, bob] { #expect(try await token(user) == nil) }
    }

    @Test("is kept if the provider is down, and removed if it refuses") func isKept() async throws {
        tested.time.advance(by: 600)
        tested.made.state.withLock { $0.isDown = true }
        #expect(await TestedProvider.code { _ = try await token(ada) } == .unavailable)
        tested.made.state.withLock { ($0.isDown, $0.tokenFailure) = (false, "invalid_client") }
        #expect(await TestedProvider.code { _ = try await token(ada) } == .settings)
        tested.made.state.withLock { $0.tokenFailure = nil }
        #expect(try await token(ada) == "access-3")
        tested.made.state.withLock { $0.refreshTokens = [] }
        tested.time.advance(by: 600)
        #expect(try await token(ada) == nil)
        let count = tested.made.count("/token")
        #expect(try await token(ada) == nil)
        #expect(tested.made.count("/token") == count, "it is not asked again with what it refused")
    }

    @Test("is not restored by a refresh during which they signed out") func isNotBroughtBack() async throws {
        tested.time.advance(by: 600)
        let before = tested.made.count("/token")
        tested.made.state.withLock { $0.isSilent = true }
        async let refreshed = token(ada)
        while tested.made.count("/token") == before { await Task.yield() }
        try await credentials.signOut(ada)
        tested.made.state.withLock { $0.isSilent = false }
        #expect(try await refreshed == nil)
        #expect(store.tokens(of: ada) == nil)
    }
}
