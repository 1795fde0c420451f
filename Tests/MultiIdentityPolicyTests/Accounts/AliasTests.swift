import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import Testing

@Suite("What is under an alias of an account") struct AliasTests {
    private let account = Users.named("ada-\(UUID())@contoso.com")
    private let name = "oid-\(UUID())"
    private let aliases = IdentityAliases()

    /// A set that is read from text before the alias stands for the account, or after.
    private func policies(readBefore: Bool, _ text: String) throws -> PolicySet {
        if readBefore {
            let policies = try PolicySet(json: text.utf8)
            aliases.set([name], of: account)
            return policies
        }
        aliases.set([name], of: account)
        return try PolicySet(json: text.utf8)
    }

    @Test("is the account's policy, whichever came first", .rule("15.12"), arguments: [true, false])
    func isTheAccountsPolicy(_ readBefore: Bool) throws {
        let set = try policies(readBefore: readBefore, #"{"version": 1, "identities": {"\#(name)": {"log": true}}}"#)
        let accounts = Accounts(mode: .multi, policies: PolicyFeed(set), levels: IdentityLevels())
        #expect(accounts.isManaged(account) && accounts.policy(of: account)?.log == true)
        #expect(accounts.decide(.log, for: account).isAllowed && !accounts.decide(.sendOut, for: account).isAllowed)
        #expect(!accounts.isManaged(Users.bob))
    }

    @Test(
        "has the account on the list of those that are allowed, whichever came first",
        .rule("15.12"),
        arguments: [true, false]
    )
    func isOnTheList(_ readBefore: Bool) throws {
        let set = try policies(
            readBefore: readBefore,
            #"{"version": 1, "standard": {}, "allowedAccounts": ["\#(name)"]}"#
        )
        let accounts = Accounts(mode: .multi, policies: PolicyFeed(set), levels: IdentityLevels())
        #expect(accounts.allows(account).isAllowed && !accounts.allows(Users.bob).isAllowed)
        try accounts.enroll(account)
        #expect(throws: AccountsError.self) { try accounts.enroll(Users.bob) }
    }

    @Test(
        "are the account's files, which are found and wiped with the others",
        .rule("15.12"),
        arguments: Keeping.allCases
    )
    func areTheAccountsFiles(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        do {
            // By a process that knows no alias.
            let before = try Identity(name)
            try fixture.make("under-alias", as: before)
            try fixture.make("under-name", as: account)
            try fixture.make("bob", as: Users.bob)
            #expect(try fixture.files.owner(of: "under-alias") == .identity(before))
        }
        aliases.set([name], of: account)
        let files = try OwnedRoot.open(fixture.folder.path, keeping)
        #expect(try files.owner(of: "under-alias") == .identity(account))
        let witness = Witness()
        try files.removeFiles(of: account, witness.visit)
        #expect(witness.removed == ["under-alias", "under-name"] && fixture.names == ["bob"])
    }
}
