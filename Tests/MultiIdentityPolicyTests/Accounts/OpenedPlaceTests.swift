import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("Data opened from another place", .rule("8.9")) struct OpenedPlaceTests {
    private struct Broken: Error {}

    private func accounts(_ auditor: Auditor? = nil) -> Accounts {
        let policies = PolicyFeed(
            PolicySet([Users.ada: Policy(openFrom: PlaceRules(other: true)), Users.bob: .nothing])
        )
        return Accounts(mode: .multi, policies: policies, levels: IdentityLevels(), audit: auditor)
    }

    @Test("is opened as nobody, and the bound identity is restored afterwards", arguments: [Users.ada, Users.eve, nil])
    func isOpenedUnderNobody(_ identity: Identity?) async throws {
        let accounts = accounts()
        try await withIdentity(Users.bob) {
            #expect(try accounts.opening(from: .other, for: identity) { Identity.current } == .nobody)
            let seen = try await accounts.opening(from: .other, for: identity) {
                await Task.yield()
                return Identity.current
            }
            #expect(seen == .nobody)
            #expect(throws: Broken.self) { try accounts.opening(from: .other, for: identity) { throw Broken() } }
            #expect(Identity.current == Users.bob)
        }
    }

    @Test("is not opened if a policy forbids it, which is audited") func isNotOpened() async throws {
        let auditor = Auditor()
        let accounts = accounts(auditor)
        let space = try DataPlace.space(of: Users.bob)
        for (place, identity) in [(DataPlace.other, Users.bob), (.deviceInput, Users.ada), (space, Users.ada)] {
            let refusal = #expect(throws: PolicyError.self) {
                try accounts.opening(from: place, for: identity) { Issue.record("it was opened") }
            }
            #expect(refusal?.decision?.identity == identity)
            await #expect(throws: PolicyError.self) {
                try await accounts.opening(from: place, for: identity) {
                    await Task.yield()
                    Issue.record("it was opened")
                }
            }
        }
        #expect(auditor.take().count == 6)
    }
}
