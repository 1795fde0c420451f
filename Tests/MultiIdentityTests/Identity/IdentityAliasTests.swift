import Foundation
import Testing

@testable import MultiIdentity

@Suite("An alias") struct IdentityAliasTests {
    /// Names of one test alone, since aliases are the process's.
    private let ada = "Ada-\(UUID())"
    private let bob = "Bob-\(UUID())"
    private let alias = "Oid-\(UUID())"

    @Test("makes the account's identity, of whatever it is read from", .rule("15.12"))
    func makesTheAccountsIdentity() throws {
        let account = try Identity(ada)
        let aliases = IdentityAliases()
        aliases.set([alias, "", ada], of: account)
        let made = [
            try Identity(alias), try Identity(alias.lowercased()), try Identity(utf8: Array(alias.utf8)),
            try JSONDecoder().decode(Identity.self, from: JSONEncoder().encode(alias)),
            try Identity(alias, verifiedBy: IdentityVerification(way: "a test", party: "nobody"), actor: nil),
        ]
        for identity in made {
            #expect(identity == account && identity.hashValue == account.hashValue)
            #expect(identity.name == ada && identity.caselessName == account.caselessName)
        }
        #expect(try Identity(ada.uppercased()).name == ada.uppercased(), "the account's own name keeps its spellings")
        withExtendedLifetime(aliases) {}
    }

    @Test(
        "stands for an account as long as somebody says so, and is a name of its own before and after",
        .rule("15.12")
    )
    func standsAsLongAsSomebodySaysSo() throws {
        let account = try Identity(ada)
        var (one, other): (IdentityAliases?, IdentityAliases?) = (IdentityAliases(), IdentityAliases())
        #expect(try Identity(alias) != account)
        for aliases in [one, other] { aliases?.set([alias, bob], of: account) }
        one?.set([bob], of: account)
        #expect(try Identity(alias) == account && Identity(bob) == account, "the other one still says so")
        other = nil
        #expect(try Identity(alias) != account && Identity(bob) == account)
        one = nil
        #expect(try Identity(alias).name == alias && Identity(bob).name == bob)
        #expect(AliasTable.shared.names(of: account.spelling.record).isEmpty)
    }

    @Test("that is said to stand for two accounts stands for neither", .rule("15.12"))
    func standsForNeitherOfTwo() throws {
        let accounts = [try Identity(ada), try Identity(bob)]
        let (one, other) = (IdentityAliases(), IdentityAliases())
        one.set([alias], of: accounts[0])
        other.set([alias], of: accounts[1])
        let own = try Identity(alias)
        #expect(own.name == alias && !accounts.contains(own))
        #expect(accounts.allSatisfy { $0.formerIdentities.isEmpty }, "it is neither's")
        other.set([], of: accounts[1])
        #expect(try Identity(alias) == accounts[0])
        #expect(accounts.map(\.formerIdentities) == [[own], []])
        withExtendedLifetime(one) {}
    }

    @Test("leaves what was made before as it was, and the account knows it while it lives", .rule("15.12"))
    func leavesWhatWasMadeBefore() throws {
        let account = try Identity(ada)
        // Two registries that share a store.
        let both = [IdentityAliases(), IdentityAliases()]
        var before: Identity? = try Identity(alias)
        for aliases in both { aliases.set([alias, bob], of: account) }
        #expect(try before != account && Identity(alias) == account)
        #expect(account.formerIdentities == [before])
        before = nil
        #expect(account.formerIdentities.isEmpty)
        withExtendedLifetime(both) {}
    }
}
