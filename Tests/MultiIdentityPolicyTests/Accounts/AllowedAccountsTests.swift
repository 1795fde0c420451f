import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("Accounts are allowed by a list") struct AllowedAccountsTests {
    private static let cases: [(allowed: Set<Identity>?, asked: Identity, expected: Bool)] = [
        (nil, Users.ada, true), (nil, Users.eve, true), (nil, .nobody, true),
        ([], Users.ada, false), ([], Users.eve, false), ([], .nobody, true),
        ([Users.ada], Users.ada, true), ([Users.ada], Users.named("ADA@CONTOSO.COM"), true),
        ([Users.ada], Users.eve, false), ([Users.ada, Users.eve], Users.eve, true), ([Users.ada], .nobody, true),
    ]

    @Test("no list is no limit, an empty one allows none, and managed or not does not matter", arguments: cases)
    func table(_ allowed: Set<Identity>?, _ asked: Identity, _ expected: Bool) {
        let feed = PolicyFeed(PolicySet([Users.ada: .nothing], allowedAccounts: allowed))
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
        let decision = accounts.allows(asked)
        #expect(decision.isAllowed == expected)
        #expect(decision.identity == asked)
        #expect(decision.policyOwner == nil)
        #expect(decision.rule == (asked.isNobody ? .unlimited : .allowedAccounts))
        #expect(decision.description.hasPrefix(expected ? "allowed: " : "refused: "))
        #expect(accounts.allowedAccounts == allowed)
    }
}
