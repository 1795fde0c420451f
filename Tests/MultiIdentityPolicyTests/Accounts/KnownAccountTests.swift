import Foundation
import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("An account in a registry") struct KnownAccountTests {
    private let ada = Users.named("known-\(UUID())@contoso.com")
    private let feed = PolicyFeed(PolicySet(standard: .everything))
    private let levels = IdentityLevels()

    private func accounts(_ mode: AccountsMode) -> Accounts {
        let accounts = Accounts(mode: mode, policies: feed, levels: levels)
        accounts.awaits(self.feed)
        return accounts
    }

    /// Expects that the account is managed, and that nothing is allowed to it or into its space, for this reason.
    private func expectNothing(_ accounts: Accounts, of identity: Identity, since reason: String) throws {
        #expect(accounts.isManaged(identity) && accounts.policy(of: identity) == .nothing)
        #expect(!accounts.hasPolicy(identity))
        let outward = accounts.decide(.log, for: identity)
        let inward = accounts.decide(.save(to: try .space(of: identity)), for: .nobody)
        for decision in [outward, inward] {
            #expect(!decision.isAllowed && decision.rule == .noPolicy && decision.policyOwner == nil)
            #expect(decision.reason.contains("\(identity) is managed and has no policy here, since \(reason)"))
        }
        #expect(accounts.decide(.notify(showing: .nothing), for: identity).isAllowed, "as under a policy of nothing")
    }

    @Test(
        "is managed with nothing allowed until it is enrolled, and unmanaged once it leaves the registry",
        .rule("8.1"),
        arguments: AccountsMode.allCases
    )
    func isManagedUnderNothing(_ mode: AccountsMode) throws {
        let accounts = accounts(mode)
        let changes = Notes<AccountsChange>()
        let subscription = accounts.onChange { changes.add($0) }
        try expectNothing(accounts, of: ada, since: "the registered accounts have not been read")
        accounts.hasRead(feed)
        accounts.hasRead(feed)
        #expect(accounts.decide(.log, for: ada).rule == .unlimited)
        accounts.know([ada], enrolled: false)
        accounts.know([ada], enrolled: false)
        try expectNothing(accounts, of: ada, since: "it is registered but not enrolled")
        accounts.know([ada], enrolled: true)
        #expect(accounts.policy(of: ada) == .everything && accounts.enrolledIdentities == [ada])
        #expect(levels.process == (mode == .single ? ada : nil))
        accounts.know([ada], enrolled: false)
        try expectNothing(accounts, of: ada, since: "it is registered but not enrolled")
        #expect(accounts.enrolledIdentities.isEmpty && levels.process == nil)
        accounts.forget(ada)
        accounts.forget(ada)
        #expect(!accounts.isManaged(ada) && accounts.decide(.log, for: ada).rule == .unlimited)
        let all: [AccountsChange] = [.accountsRead, .registered(ada), .enrolled(ada), .left(ada), .deregistered(ada)]
        #expect(changes.all == all)
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "without a policy is allowed nothing, but occupies the process level",
        .rule("8.1", "8.2", "8.4"),
        arguments: AccountsMode.allCases
    )
    func hasNoPolicy(_ mode: AccountsMode) throws {
        let accounts = accounts(mode)
        feed.publish(PolicySet([ada: .everything], allowedAccounts: []))
        accounts.know([ada], enrolled: true)
        #expect(accounts.enrolledIdentities == [ada] && levels.process == (mode == .single ? ada : nil))
        try expectNothing(accounts, of: ada, since: "it is not on the list of allowed accounts")
        feed.publish(PolicySet())
        try expectNothing(accounts, of: ada, since: "the policy source has none for it")
        feed.publish(PolicySet([ada: .everything]))
        #expect(accounts.hasPolicy(ada) && accounts.decide(.log, for: ada).isAllowed)
    }

    @Test("remains known after a sign-out until it leaves the registry", .rule("8.2"))
    func staysKnown() throws {
        let accounts = accounts(.multi)
        accounts.hasRead(feed)
        accounts.know([ada], enrolled: true)
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(!accounts.isManaged(ada) && accounts.decide(.log, for: ada).rule == .revoked)
        accounts.know([ada], enrolled: true)
        IdentityRevocation.readmit(ada)
        try expectNothing(accounts, of: ada, since: "it is registered but not enrolled")
    }

    @Test(
        "is allowed nothing in single-user mode while another is enrolled",
        .rule("8.2"),
        arguments: [AccountsMode.single, .oneManaged]
    )
    func isTheSecond(_ mode: AccountsMode) throws {
        let accounts = accounts(mode)
        accounts.hasRead(feed)
        accounts.know([Users.bob, ada], enrolled: true)
        #expect(accounts.enrolledIdentities == [Users.bob])
        try expectNothing(accounts, of: ada, since: "it is registered but not enrolled")
    }
}
