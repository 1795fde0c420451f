import MultiIdentity
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentityPolicy

private let (ada, grace, guest) = (Person.ada, Person.grace, Person.guest)

@Suite("The UI level of a switcher", .rule("9.1"), .timeLimit(.minutes(20))) struct UIGuardTests {
    @Test("is set to a managed identity by a switch only: a direct change is undone and reported")
    func managed() async throws {
        let fixture = try SwitcherFixture()
        fixture.levels.ui = ada
        #expect(fixture.levels.ui == nil)
        #expect(await fixture.switcher.switchUI(to: grace) == .success)
        fixture.levels.ui = ada
        #expect(fixture.levels.ui == grace)
        #expect(fixture.findings.all.map(\.kind) == [.uiSetDirectly, .uiSetDirectly])
        #expect(fixture.findings.all.map(\.identity) == [ada, ada])
        #expect(fixture.findings.all.allSatisfy { $0.message.contains("\(ada)") && $0.message.contains("switchUI") })
    }

    @Test("is set directly to unmanaged identities, nobody and unset", arguments: ["guest@fabrikam.com", "", nil])
    func unmanaged(_ name: String?) async throws {
        let target = try name.map { $0.isEmpty ? .nobody : try Identity($0) }
        let fixture = try SwitcherFixture()
        #expect(await fixture.switcher.switchUI(to: ada) == .success)
        fixture.levels.ui = target
        #expect(fixture.levels.ui == target)
        #expect(fixture.findings.all.isEmpty)
    }

    @Test("keeps its identity when the switcher is created, and is free again once it is released")
    func lifetime() throws {
        let levels = IdentityLevels(ui: ada)
        levels.diagnostics.response = .report { _ in }
        var switcher: IdentitySwitcher? = try IdentitySwitcher(of: FakeAccounts(levels))
        #expect(levels.ui == ada)
        levels.ui = grace
        #expect(levels.ui == ada)
        switcher = nil
        levels.ui = grace
        #expect(levels.ui == grace)
        #expect(switcher == nil)
    }

    @Test("is also guarded by accounts without a switcher: policies are in force") func withoutSwitcher() throws {
        let findings = Notes<IdentityFinding>()
        let levels = IdentityLevels()
        levels.diagnostics.response = .report { findings.add($0) }
        let policies = PolicyFeed(PolicySet([ada: .nothing]))
        var accounts = (0..<2).map { _ in Accounts(mode: .multi, policies: policies, levels: levels) }
        for _ in 0..<2 {
            levels.ui = ada
            #expect(levels.ui == nil)
            accounts.removeLast()
        }
        #expect(findings.all.map(\.kind) == [.uiSetDirectly, .uiSetDirectly])
        levels.ui = ada
        #expect(levels.ui == ada, "no policies are in force any more")
        levels.ui = guest
        #expect(levels.ui == guest)
    }

    @Test("never keeps a managed identity that was set directly, once the switcher exists")
    func atomicity() async throws {
        for _ in 0..<200 {
            let levels = IdentityLevels()
            levels.diagnostics.response = .report { _ in }
            let setter = Task.detached { for _ in 0..<20 { levels.ui = ada } }
            let switcher = try IdentitySwitcher(of: FakeAccounts(levels))
            // An identity that was set before the switcher existed may remain; none can be set afterwards.
            levels.ui = nil
            await Task.yield()
            #expect(levels.ui == nil)
            await setter.value
            #expect(levels.ui == nil)
            _ = switcher
        }
    }

    @Test("can be set inside the query whether an identity is managed")
    func reentrance() throws {
        final class Asking: SwitchableAccounts {
            let levels: IdentityLevels
            init(_ levels: IdentityLevels) { self.levels = levels }
            func isManaged(_ identity: Identity) -> Bool {
                levels.ui = .nobody
                return identity.name.hasPrefix("managed")
            }
            func switchRefusal(of identity: Identity) -> String? { nil }
        }
        let levels = IdentityLevels()
        levels.diagnostics.response = .report { _ in }
        let switcher = try IdentitySwitcher(of: Asking(levels))
        levels.ui = ada
        #expect(levels.ui == .nobody)
        levels.ui = guest
        #expect(levels.ui == (guest))
        _ = switcher
    }
}
