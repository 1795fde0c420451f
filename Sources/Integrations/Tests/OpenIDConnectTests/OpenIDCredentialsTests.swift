import Foundation
import MultiIdentity
import MultiIdentityManagement
import OpenIDConnect
import Synchronization
import Testing

@Suite("The credential of a user who has logged in") struct OpenIDCredentialsTests {
    private let ada: Identity
    private let bob: Identity

    init() throws {
        ada = try Identity("ada@contoso.com")
        bob = try Identity("bob@contoso.com")
    }

    private func token(_ identity: Identity?, _ credentials: OpenIDCredentials, prompting: Bool = false) async throws
        -> String?
    {
        let credential = try await credentials.credential(for: identity, prompting: prompting, settings: .standard)
        if let credential { #expect(credential.identity == identity) }
        return credential?.token
    }

    private func credentials(_ tested: TestedProvider, _ store: any OpenIDTokenStore = OpenIDTokensInMemory())
        -> OpenIDCredentials
    {
        let time = tested.time
        return OpenIDCredentials(tested.provider, store: store, now: { time.now })
    }

    @Test("is their access token, refreshed in one request for all that need it") func isTheirAccessToken() async throws
    {
        let tested = try await TestedProvider()
        let credentials = credentials(tested)
        #expect(try await token(ada, credentials, prompting: true) == nil, "nobody is there to be asked")
        try await credentials.signIn(tested.logIn())
        #expect(try await token(ada, credentials) == "access-2")
        #expect(try await token(bob, credentials, prompting: true) == nil)
        #expect(try await token(nil, credentials, prompting: true) == nil)
        tested.time.advance(by: 541)
        let before = tested.made.count("/token")
        let ada = ada
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await token(ada, credentials) } }
            for try await token in group { #expect(token == "access-3") }
        }
        #expect(tested.made.count("/token") == before + 1)
        // The refresh token was replaced, as providers do; the new one is good.
        tested.time.advance(by: 600)
        #expect(try await token(ada, credentials) == "access-4")
        tested.made.state.withLock { $0.hasIDToken = false }
        tested.time.advance(by: 600)
        #expect(try await token(ada, credentials) == "access-5")
        try await credentials.signOut(ada)
        #expect(try await token(ada, credentials) == nil)
    }

    @Test("is gone where a refresh names another user", arguments: ["sub", "email"]) func isGone(claim: String)
        async throws
    {
        let tested = try await TestedProvider()
        let credentials = credentials(tested)
        try await credentials.signIn(tested.logIn())
        tested.made.state.withLock { $0.claimChanges = [claim: "bob@contoso.com"] }
        tested.time.advance(by: 600)
        let code = await TestedProvider.code { _ = try await token(ada, credentials) }
        #expect(code == .otherSubject)
        for user in [ada, bob] { #expect(try await token(user, credentials) == nil) }
    }

    @Test("is kept where the provider is down, and gone where it refuses") func isKept() async throws {
        let tested = try await TestedProvider()
        let credentials = credentials(tested)
        try await credentials.signIn(tested.logIn())
        tested.time.advance(by: 600)
        tested.made.state.withLock { $0.isDown = true }
        #expect(await TestedProvider.code { _ = try await token(ada, credentials) } == .unavailable)
        tested.made.state.withLock { state in (state.isDown, state.tokenFailure) = (false, "invalid_client") }
        #expect(await TestedProvider.code { _ = try await token(ada, credentials) } == .settings)
        tested.made.state.withLock { $0.tokenFailure = nil }
        #expect(try await token(ada, credentials) == "access-3")
        tested.made.state.withLock { $0.refreshTokens = [] }
        tested.time.advance(by: 600)
        #expect(try await token(ada, credentials) == nil)
        let count = tested.made.count("/token")
        #expect(try await token(ada, credentials) == nil)
        #expect(tested.made.count("/token") == count, "it is not asked again with what it refused")
    }

    @Test("is not brought back by a refresh during which they signed out") func isNotBroughtBack() async throws {
        let tested = try await TestedProvider()
        let store = OpenIDTokensInMemory()
        let credentials = credentials(tested, store)
        try await credentials.signIn(tested.logIn())
        tested.time.advance(by: 600)
        let before = tested.made.count("/token")
        tested.made.state.withLock { $0.isSilent = true }
        async let refreshed = token(ada, credentials)
        while tested.made.count("/token") == before { await Task.yield() }
        try await credentials.signOut(ada)
        tested.made.state.withLock { $0.isSilent = false }
        #expect(try await refreshed == nil)
        #expect(store.tokens(of: ada) == nil)
    }

    @Test("is never another's, whatever the store gives") func isNeverAnothers() async throws {
        struct Mixed: OpenIDTokenStore {
            let tokens: OpenIDTokens

            func tokens(of identity: Identity) -> OpenIDTokens? { tokens }
            func set(_ tokens: OpenIDTokens?, of identity: Identity) {}
        }
        let tested = try await TestedProvider()
        let credentials = credentials(tested, Mixed(tokens: try await tested.logIn()))
        #expect(try await token(bob, credentials) == nil)
        #expect(try await token(ada, credentials) == "access-2")
    }
}
