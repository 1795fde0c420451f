import MultiIdentity
import Testing

@testable import MultiIdentityPolicy

@Suite("Accounts and their switcher") struct OneSourceOfLevelsTests {
    @Test("have the same levels, where somebody has levels of their own too", .rule("9.6"))
    func ownLevels() async throws {
        let ada = try Person.ada
        let before = IdentityLevels.shared.ui
        let levels = IdentityLevels()
        let switcher = try withIdentityLevels(levels) {
            try IdentitySwitcher(accounts: Accounts(mode: .multi, policies: PolicyFeed(PolicySet([ada: .nothing]))))
        }
        #expect(switcher.levels === levels)
        #expect(await switcher.switchUI(to: ada) == .success)
        #expect(levels.ui == ada)
        #expect(IdentityLevels.shared.ui == before)
        _ = await switcher.switchUI(to: nil)
    }
}
