import Dispatch
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("An auditor", .serialized, .rule("8.7")) struct AuditedAccountsTests {
    private let auditor = Auditor()
    private let ada = Users.named("audited-\(UInt32.random(in: .min ... .max))@contoso.com")
    private let root = Users.named("administrator@contoso.com")
    private let feed: PolicyFeed
    private let levels = IdentityLevels()

    init() { feed = PolicyFeed(PolicySet([ada: .nothing], standard: .nothing)) }

    private func accounts(_ mode: AccountsMode = .multi) -> Accounts {
        Accounts(mode: mode, policies: feed, levels: levels, audit: auditor)
    }

    @Test("receives each refusal and nothing that is allowed, with its subject and the caller")
    func hearsOfEachRefusal() {
        let accounts = accounts()
        withIdentity(root) {
            _ = accounts.decide(.sendOut, for: ada)
            _ = accounts.decide(.sendOut, for: nil)
        }
        _ = accounts.decide(.share(with: root), for: ada)
        #expect(auditor.events.first?.reason.contains("may not") == true)
        #expect(auditor.bound == [root, nil])
        #expect(auditor.take() == ["refused \(ada.name) by \(root.name)", "refused \(ada.name) by -"])
    }

    @Test("receives each change once, and no change that has no effect") func hearsOfEachChange() throws {
        let accounts = accounts(.oneManaged)
        try withIdentity(root) { () throws in
            for _ in 0..<2 { try accounts.enroll(ada) }
            #expect(throws: PolicyError.self) { try accounts.enroll(root) }
            try accounts.unenroll(ada)
            try accounts.enroll(ada)
        }
        feed.publish(PolicySet(standard: .everything))
        IdentityRevocation.revoke(ada, for: .signedOut)
        withIdentity(root) { _ = IdentityRevocation.readmit(ada) }
        // Other tests revoke other identities meanwhile.
        let heard = auditor.take().filter { $0.contains(ada.name) || $0.hasPrefix("policies") }
        #expect(
            heard == [
                "enrolled \(ada.name) by \(root.name)", "left \(ada.name) by \(root.name)",
                "enrolled \(ada.name) by \(root.name)", "policiesReplaced - by -", "revoked \(ada.name) by -",
                "left \(ada.name) by -", "readmitted \(ada.name) by \(root.name)",
            ]
        )
    }

    @Test("receives each switch with its outcome") func hearsOfEachSwitch() async throws {
        let accounts = accounts()
        try accounts.enroll(ada)
        let check = LaunchCheck("PIN") { _ in .failed("wrong PIN") }
        let switcher = try IdentitySwitcher(accounts: accounts)
        _ = auditor.take()
        #expect(await switcher.switchUI(to: ada) == .success)
        switcher.register(check)
        _ = await withIdentity(root) { () async in await switcher.switchUI(to: Users.bob) }
        _ = await switcher.switchUI(to: ada)
        _ = await switcher.requireSwitch(to: ada, reason: "a link")
        let reasons = auditor.events.map(\.reason)
        #expect(
            auditor.take() == [
                "switched \(ada.name) by -", "switched \(Users.bob.name) by \(root.name)",
                "notSwitched \(ada.name) by -",
                "notSwitched \(ada.name) by -",
            ]
        )
        #expect(reasons[2].contains("wrong PIN") && reasons[3].contains("a link") && reasons[3].contains("no delegate"))
    }

    @Test("receives the beginning and the end of a wipe, with the caller") func hearsOfAWipe() async throws {
        let folder = TemporaryFolder()
        let accounts = accounts()
        try accounts.enroll(ada)
        _ = auditor.take()
        let wipe = try IdentityWipe(journals: folder / "wipes", accounts: accounts, storages: []) { _ in .notRemoved
        }
        _ = try await withIdentity(root) { () async throws in try await wipe.wipe(ada) }
        let reasons = auditor.events.filter { $0.kind == .wipeEnded }.map(\.reason)
        let heard = auditor.take().filter { $0.contains(ada.name) }
        #expect(
            heard == [
                "wipeBegan \(ada.name) by \(root.name)", "revoked \(ada.name) by -", "left \(ada.name) by -",
                "wipeEnded \(ada.name) by \(root.name)",
            ]
        )
        #expect(reasons.count == 1 && reasons[0].hasPrefix("wipe of \(ada) complete"))
    }

    @Test("is shown where the actor was bound and how the work came there, if that is recorded")
    func isShownTheProvenance() throws {
        let accounts = accounts()
        _ = accounts.decide(.sendOut, for: ada)
        let before = Explanation.recordsProvenance
        Explanation.recordsProvenance = true
        defer { Explanation.recordsProvenance = before }
        withIdentity(root) {
            let queue = DispatchQueue(label: "audited")
            queue.propagatingIdentity.async { _ = accounts.decide(.sendOut, for: ada) }
            queue.sync {}
        }
        let provenance = auditor.events.map(\.provenance)
        try #require(provenance.count == 2)
        #expect(provenance[0].isEmpty)
        #expect(provenance[1].first?.hasPrefix("bound at ") == true, "\(provenance[1])")
        #expect(provenance[1].last?.contains("async on \"audited\"") == true, "\(provenance[1])")
    }
}
