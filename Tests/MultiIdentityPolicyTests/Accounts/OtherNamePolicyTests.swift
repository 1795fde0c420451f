import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

/// The identity exists before it becomes an alias, as in a long session, or is created afterwards.
@Suite("An alias of an account", .rule("15.12")) struct OtherNamePolicyTests {
    private let account = Users.named("ada-\(UUID())@contoso.com")
    private let name = Users.named("oid-\(UUID())")
    private let names = AccountNames()

    private func accounts(_ set: PolicySet) -> Accounts {
        Accounts(mode: .multi, policies: PolicyFeed(set), levels: IdentityLevels())
    }

    @Test("has the account's policy, whichever came first", arguments: [true, false])
    func hasItsPolicyBeTheAccounts(_ isReadBefore: Bool) throws {
        if !isReadBefore { names.add(name, to: account) }
        let text =
            #"{"version": 1, "identities": {"\#(name)": {"log": true}, "bob@contoso.com": {"shareWith": ["\#(name)"]}}}"#
        let accounts = accounts(try PolicySet(json: text.utf8))
        if isReadBefore { names.add(name, to: account) }
        #expect(accounts.isManaged(account) && accounts.policy(of: account)?.log == true)
        #expect(accounts.decide(.log, for: account).isAllowed && !accounts.decide(.sendOut, for: account).isAllowed)
        let shared = accounts.decide(.share(with: account), for: Users.bob)
        #expect(shared.rule == .receiveFrom, "Bob's rule has her on its list")
    }

    @Test("has no effect if the account has its own policy, or if several aliases differ")
    func countsForNothingBesideTheOwn() throws {
        let other = Users.named("upn-\(UUID())")
        for name in [name, other] { names.add(name, to: account) }
        #expect(accounts(PolicySet([name: .everything, other: .nothing])).policy(of: account) == .nothing)
        #expect(accounts(PolicySet([name: .everything, other: .everything])).policy(of: account) == .everything)
        #expect(accounts(PolicySet([name: .nothing, account: .everything])).policy(of: account) == .everything)
    }

    @Test("puts the account on the list of allowed accounts, whichever came first") func isOnTheList() throws {
        let accounts = accounts(PolicySet(standard: .nothing, allowedAccounts: [name]))
        #expect(!accounts.allows(account).isAllowed)
        names.add(name, to: account)
        #expect(accounts.allows(account).isAllowed && !accounts.allows(Users.bob).isAllowed)
        try accounts.enroll(account)
        #expect(throws: PolicyError.self) { try accounts.enroll(Users.bob) }
    }

    @Test("is refused by every query, which names the account, and its checks still run")
    func isRefusedByWhateverAsks() async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "root", withIntermediateDirectories: false)
        let files = try IdentityFileSystem(root: folder / "root", records: .index(in: folder / "index"))
        let keys = try KeyFile(at: folder / "keys", masterKey: MasterKey(Array(0..<32)))
        let accounts = accounts(PolicySet([account: .everything, Users.bob: .everything]))
        let protection = DataProtection(keys: keys, accounts: accounts)
        let wipe = try IdentityWipe(journals: folder / "wipes", accounts: accounts, storages: []) { _ in .notRemoved
        }
        let switcher = try IdentitySwitcher(accounts: accounts)
        #expect(accounts.decide(.log, for: name).isAllowed, "nobody knows it")
        names.add(name, to: account)

        #expect(accounts.isManaged(name) && accounts.policy(of: name) == .nothing)
        let space = try DataPlace.space(of: name)
        var answers = [
            accounts.decide(.log, for: name), accounts.decide(.log, for: try account.acted(by: name)),
            accounts.decide(.share(with: name), for: account), accounts.decide(.save(to: space), for: Users.bob),
            accounts.allows(name),
        ].map { $0.isAllowed || $0.rule != .revoked ? "allowed" : "\($0)" }
        func note<Failure: Error>(_ body: () throws(Failure) -> Void) {
            do throws(Failure) {
                try body()
                answers.append("allowed")
            } catch { answers.append("\(error)") }
        }
        note { () throws(PolicyError) in try accounts.enroll(name) }
        note { () throws(ProtectionError) in _ = try protection.protect([1], for: name) }
        note { () throws(ProtectionError) in _ = try keys.currentKey(for: name) }
        note { () throws(IdentityFileError) in
            try withIdentity(name) { () throws(IdentityFileError) in try files.replace("file", with: [1]) }
        }
        do throws(ProtectionError) { answers.append("\(try await wipe.wipe(name))") } catch {
            answers.append("\(error)")
        }
        answers.append("\(await switcher.switchUI(to: name))")
        #expect(answers.count == 11)
        for answer in answers {
            #expect(answer.contains(name.name) && answer.contains("is an alias of \(account)"))
        }
        #expect(await switcher.switchUI(to: account) == .success)
    }

    @Test("keeps what was stored under it: a wipe of the account removes none of it", arguments: Keeping.allCases)
    func hasItsFilesStayItsOwn(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["under-name": name, "under-account": account])
        names.add(name, to: account)
        let files = try OwnedRoot.open(fixture.folder.path, keeping)
        #expect(try files.owner(of: "under-name") == .identity(name))
        #expect(files.files(of: .identity(account)).paths == ["under-account"])
        let witness = Witness()
        try files.removeFiles(of: account, witness.visit)
        #expect(witness.removed == ["under-account"] && fixture.names == ["under-name"])
    }

    @Test("is reported by the keys and files that belong to it", arguments: Keeping.allCases)
    func isToldOf(_ keeping: Keeping) throws {
        let levels = IdentityLevels()
        let folder = TemporaryFolder()
        try withIdentityLevels(levels) {
            let fixture = try OwnedRoot(keeping)
            let keys = try KeyFile(at: folder / "keys", masterKey: MasterKey(Array(0..<32)))
            func holdings() throws -> [String] { try levels.holders.compactMap { try $0.holdings(of: name) } }
            try fixture.make("another's", as: account)
            _ = try keys.currentKey(for: account)
            #expect(try levels.holders.count == 2 && holdings().isEmpty)
            try fixture.make("its own", as: name)
            _ = try keys.rotateKey(of: name)
            let found = try holdings()
            #expect(found.count == 2 && found[0].hasPrefix("its own files (1 in"))
            #expect(found[1].hasPrefix("its own keys (1 in") && found[1].contains(folder / "keys"))
        }
        #expect(levels.holders.isEmpty)
    }
}
