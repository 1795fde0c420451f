import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A list of allowed accounts", .rule("8.4")) struct AllowedAccountsTests {
    private static let cases: [(allowed: Set<Identity>?, asked: Identity, expected: Bool)] = [
        (nil, Users.ada, true), (nil, Users.eve, true), (nil, .nobody, true),
        ([], Users.ada, false), ([], Users.eve, false), ([], .nobody, true),
        ([Users.ada], Users.ada, true), ([Users.ada], Users.named("ADA@CONTOSO.COM"), true),
        ([Users.ada], Users.eve, false), ([Users.ada, Users.eve], Users.eve, true), ([Users.ada], .nobody, true),
    ]

    @Test(
        "sets no limit if it is missing, allows none if it is empty, and applies to managed and unmanaged accounts",
        .guide("policy questions"),
        arguments: cases
    )
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

    private static let lists: [Set<Identity>?] = [
        nil, [], [Users.ada], [Users.named("ADA@CONTOSO.COM")], [Users.ada, Users.bob], [Users.bob],
    ]

    @Test(
        "is announced once for each change, and never unchanged, however often policies are published",
        arguments: lists,
        lists
    )
    func changes(_ first: Set<Identity>?, _ second: Set<Identity>?) {
        let feed = PolicyFeed(PolicySet(allowedAccounts: first))
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
        let seen = Locked<[(before: Set<Identity>?, now: Set<Identity>?)]>([])
        let subscription = accounts.onAllowedAccountsChange { before, now in
            #expect(accounts.allowedAccounts == now, "the new list is in force when it is announced")
            seen.withLock { $0.append((before, now)) }
        }
        for (allowed, policies) in [
            (first, [Users.ada: Policy.nothing]), (second, [:]), (second, [Users.ada: .everything]), (first, [:]),
            (first, [Users.bob: .nothing]),
        ] {
            feed.publish(PolicySet(policies, allowedAccounts: allowed))
        }
        let expected = first == second ? [] : [second, first]
        #expect(seen.withLock { $0 }.map(\.now) == expected)
        #expect(seen.withLock { $0 }.map(\.before) == expected.reversed())
        subscription.cancel()
        feed.publish(PolicySet(allowedAccounts: [Users.eve]))
        #expect(seen.withLock { $0.count } == expected.count)
    }

    @Test("is neither lost nor repeated when many publish policies at once") func chain() async {
        let feed = PolicyFeed()
        let accounts = Accounts(mode: .multi, policies: feed, levels: IdentityLevels())
        let stream = accounts.allowedAccountsChanges
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<100 {
                        let allowed = step % 3 == 0 ? nil : Self.lists[(step + task) % Self.lists.count]
                        feed.publish(PolicySet(step % 2 == 0 ? [:] : [Users.bob: .nothing], allowedAccounts: allowed))
                    }
                }
            }
        }
        feed.publish(PolicySet(allowedAccounts: [Users.eve]))
        var last: Set<Identity>?
        for await change in stream {
            #expect(change.before == last)
            #expect(change.before != change.now)
            last = change.now
            if last == [Users.eve] { break }
        }
    }
}
