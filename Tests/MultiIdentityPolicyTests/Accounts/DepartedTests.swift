import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("An account that was signed out or wiped", .rule("8.2")) struct DepartedTests {
    /// How an account departs.
    enum Way: String, CaseIterable {
        case signedOut, wiped
    }

    let folder = TemporaryFolder()
    private let feed = PolicyFeed(PolicySet(standard: .everything))

    /// A user of this test only: a revocation applies to the whole process.
    private static func user(_ name: String, _ way: Way) -> Identity { Users.named("\(name)-\(way)@contoso.com") }

    private func send(_ identity: Identity, away way: Way, from accounts: Accounts) async throws {
        switch way {
        case .signedOut: IdentityRevocation.revoke(identity, for: .signedOut)
        case .wiped:
            let wipe = try IdentityWipe(journals: folder / "wipes", accounts: accounts, storages: []) { _ in
                .notRemoved
            }
            #expect(try await wipe.wipe(identity).isComplete)
        }
    }

    @Test("is no longer enrolled, so that the next user can be, and is on no level", arguments: Way.allCases)
    func oneUser(_ way: Way) async throws {
        let (ada, bob) = (Self.user("single", way), Users.bob)
        let levels = IdentityLevels(ui: ada)
        let accounts = Accounts(mode: .single, policies: feed, levels: levels)
        try accounts.enroll(ada)
        try await send(ada, away: way, from: accounts)
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        #expect(accounts.enrolledIdentities.isEmpty)
        #expect(!accounts.isManaged(ada))
        #expect(levels.process == nil, "its value before")
        #expect(levels.ui == .nobody)
        try accounts.enroll(bob)
        #expect(levels.process == bob)
    }

    @Test("is no longer managed, although the source names it, until it is readmitted", arguments: Way.allCases)
    func named(_ way: Way) async throws {
        let (ada, bob) = (Self.user("named", way), Users.bob)
        feed.publish(PolicySet([ada: .everything, bob: .everything]))
        let levels = IdentityLevels()
        let accounts = Accounts(mode: .multi, policies: feed, levels: levels)
        levels.process = ada
        try await send(ada, away: way, from: accounts)
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        #expect(!accounts.isManaged(ada))
        #expect(accounts.isManaged(bob))
        #expect(levels.process == .nobody)
        #expect(!Accounts(mode: .multi, policies: feed, levels: IdentityLevels()).isManaged(ada), "nor elsewhere")
        IdentityRevocation.readmit(ada, after: .wiped)
        #expect(accounts.isManaged(ada))
        #expect(levels.process == .nobody)
    }

    @Test("receives and gives nothing, not even what no policy limits", arguments: Way.allCases)
    func refused(_ way: Way) async throws {
        let (ada, bob) = (Self.user("refused", way), Users.bob)
        feed.publish(PolicySet([ada: .everything, bob: .everything]))
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
        let questions: [(PolicyQuestion, Identity?)] = [
            (.log, ada), (.share(with: ada), bob), (.share(with: ada), nil), (.open(from: try .space(of: ada)), bob),
            (.save(to: try .space(of: ada)), bob),
        ]
        for (question, identity) in questions { #expect(accounts.decide(question, for: identity).isAllowed) }
        try await send(ada, away: way, from: accounts)
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        for (question, identity) in questions {
            let decision = accounts.decide(question, for: identity)
            #expect(!decision.isAllowed)
            #expect(decision.reason.contains("\(ada)"))
        }
        #expect(accounts.decide(.share(with: bob), for: nil).isAllowed, "others are as before")
    }

    @Test("remains managed while its wipe is in progress") func wipeGoesOn() async throws {
        let ada = Users.named("while-wiped@contoso.com")
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
        try accounts.enroll(ada)
        let wipe = try IdentityWipe(journals: folder / "wipes", accounts: accounts, storages: []) { _ in
            #expect(accounts.isManaged(ada))
            #expect(accounts.enrolledIdentities == [ada])
            accounts.levels.process = ada
            return .notRemoved
        }
        #expect(try await wipe.wipe(ada).isComplete)
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        #expect(accounts.enrolledIdentities.isEmpty)
        #expect(accounts.levels.process == .nobody, "though it was set to them meanwhile")
    }

    @Test("by a sign-out can still be wiped") func wipedLater() async throws {
        let ada = Users.named("signed-out-then-wiped@contoso.com")
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
        try accounts.enroll(ada)
        try await send(ada, away: .signedOut, from: accounts)
        try await send(ada, away: .wiped, from: accounts)
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        #expect(!accounts.isManaged(ada))
    }

    @Test("is not on the UI level of a switcher with its own accounts either") func ownAccounts() async throws {
        let ada = Users.named("managed-signed-out@contoso.com")
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        IdentityRevocation.revoke(ada, for: .signedOut)
        defer { IdentityRevocation.readmit(ada) }
        #expect(fixture.levels.ui == .nobody)
        fixture.levels.ui = ada
        #expect(fixture.levels.ui == .nobody)
    }
}
