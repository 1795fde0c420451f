import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("An enrolment", .rule("8.2")) struct EnrollingTests {
    private let ada = Users.ada
    private let bob = Users.bob
    private let feed = PolicyFeed(PolicySet([Users.ada: .everything, Users.bob: .nothing]))

    private func accounts(_ mode: AccountsMode, _ levels: IdentityLevels = IdentityLevels()) -> Accounts {
        Accounts(mode: mode, policies: feed, levels: levels)
    }

    @Test(
        "in single-identity mode sets the process level, and restores it afterwards",
        arguments: [nil, .nobody, Users.eve]
    )
    func processLevel(_ before: Identity?) throws {
        let levels = IdentityLevels(process: before, ui: bob)
        let accounts = accounts(.single, levels)
        #expect(levels.process == before)
        #expect(!accounts.isManaged(ada))
        try accounts.enroll(ada)
        #expect(levels.process == ada)
        #expect(accounts.isManaged(ada))
        #expect(!accounts.isManaged(bob), "the source has a policy for him, but he is not the one user")
        try accounts.unenroll(ada)
        #expect(levels.process == before)
        #expect(levels.ui == bob)
        #expect(!accounts.isManaged(ada))
    }

    @Test(
        "of a second user in one-managed mode is refused and changes nothing",
        .guide("one managed user"),
        arguments: [AccountsMode.single, .oneManaged]
    )
    func secondUser(_ mode: AccountsMode) throws {
        let levels = IdentityLevels()
        let accounts = accounts(mode, levels)
        try accounts.enroll(ada)
        let error = expect(throws: PolicyError.Code.anotherIsEnrolled) { try accounts.enroll(bob) }
        #expect(error?.identity == bob)
        #expect(error?.message.contains("ada@contoso.com is") == true)
        #expect(levels.process == (mode == .single ? ada : nil))
        #expect(accounts.enrolledIdentities == [ada])
        try accounts.unenroll(ada)
        try accounts.enroll(bob)
        #expect(levels.process == (mode == .single ? bob : nil))
    }

    @Test("in one-managed mode leaves other users without limits, and every level unset")
    func oneManaged() throws {
        let levels = IdentityLevels(process: ada, ui: bob)
        let accounts = accounts(.oneManaged, levels)
        #expect(levels.process == nil && levels.ui == nil)
        #expect(!accounts.isManaged(ada), "the source has a policy for her, but she is not enrolled")
        try accounts.enroll(ada)
        #expect(accounts.isManaged(ada) && accounts.policy(of: ada) == .everything)
        #expect(!accounts.isManaged(bob) && accounts.policy(of: bob) == nil)
        #expect(accounts.decide(.save(to: .localStorage), for: bob).isAllowed)
        #expect(levels.process == nil)
        try accounts.unenroll(ada)
        #expect(!accounts.isManaged(ada))
    }

    @Test("repeated in another spelling changes nothing", arguments: AccountsMode.allCases)
    func again(_ mode: AccountsMode) throws {
        let levels = IdentityLevels(process: nil)
        let accounts = accounts(mode, levels)
        try accounts.enroll(ada)
        try accounts.enroll(Users.named("ADA@contoso.com"))
        #expect(accounts.enrolledIdentities == [ada])
        try accounts.unenroll(Users.named("Ada@Contoso.com"))
        #expect(accounts.enrolledIdentities.isEmpty)
        #expect(levels.process == nil)
    }

    @Test("leaves a process level alone that was set by other code since") func setMeanwhile() throws {
        let levels = IdentityLevels(process: bob)
        let accounts = accounts(.single, levels)
        try accounts.enroll(ada)
        levels.process = .nobody
        try accounts.unenroll(ada)
        #expect(levels.process == .nobody)
    }

    @Test("in multi-identity mode is possible for any number, and every level starts and stays unset")
    func many() throws {
        let levels = IdentityLevels(process: ada, ui: bob)
        let accounts = accounts(.multi, levels)
        #expect(levels.process == nil)
        #expect(levels.ui == nil)
        withIdentityLevels(levels) {
            #expect(EffectiveIdentity.current(for: .ui).identity == nil)
            #expect(EffectiveIdentity.current(for: .files).identity == nil)
        }
        try accounts.enroll(ada)
        try accounts.enroll(bob)
        #expect(accounts.enrolledIdentities == [ada, bob])
        #expect(levels.process == nil)
        try accounts.unenroll(ada)
        #expect(levels.process == nil)
        #expect(accounts.enrolledIdentities == [bob])
    }

    @Test("uses the current levels unless others are given") func levelsInForce() throws {
        try withIdentityLevels(process: bob) {
            let accounts = Accounts(mode: .single, policies: feed)
            try accounts.enroll(ada)
            #expect(IdentityLevels.current.process == ada)
        }
    }

    @Test("in multi-identity mode is not needed for a user that the source names, who stays managed afterwards")
    func namedBySource() throws {
        let accounts = accounts(.multi)
        #expect(accounts.isManaged(ada))
        #expect(accounts.policy(of: ada) == .everything)
        #expect(accounts.policy(of: Users.named("BOB@contoso.com")) == .nothing)
        #expect(!accounts.isManaged(Users.eve))
        #expect(accounts.policy(of: Users.eve) == nil)
        try accounts.enroll(ada)
        try accounts.unenroll(ada)
        #expect(accounts.isManaged(ada))
    }

    @Test("without its own policy has the standard one, and none once that is removed")
    func standardPolicy() throws {
        let standard = Policy(log: true)
        feed.publish(PolicySet([ada: .everything], standard: standard))
        let accounts = accounts(.multi)
        #expect(!accounts.isManaged(bob), "a standard policy makes nobody managed by itself")
        try accounts.enroll(bob)
        #expect(accounts.policy(of: bob) == standard)
        #expect(accounts.policy(of: ada) == .everything)
        feed.publish(PolicySet())
        #expect(accounts.isManaged(bob), "an enrolled account does not get free by a file that lost it")
        #expect(accounts.policy(of: bob) == .nothing)
        #expect(!accounts.isManaged(ada), "she was managed by the source alone")
        try accounts.unenroll(bob)
        #expect(!accounts.isManaged(bob))
    }

    @Test("of an identity that cannot be enrolled is refused", arguments: AccountsMode.allCases) func refused(
        _ mode: AccountsMode
    ) throws {
        let levels = IdentityLevels()
        feed.publish(PolicySet([ada: .everything, bob: .nothing], allowedAccounts: [ada, Users.eve]))
        let accounts = accounts(mode, levels)
        for (identity, code) in [
            (Identity.nobody, PolicyError.Code.nobody), (bob, .notAllowed), (Users.eve, .noPolicy),
        ] {
            let error = #expect(throws: PolicyError.self) { try accounts.enroll(identity) }
            #expect(error?.code == code)
            #expect(error?.identity == identity)
            #expect(error.map { "\($0)".hasPrefix("\(code): ") } == true)
        }
        #expect(accounts.enrolledIdentities.isEmpty)
        #expect(levels.process == nil)
        expect(throws: PolicyError.Code.notEnrolled) { try accounts.unenroll(ada) }
        #expect(!accounts.isManaged(.nobody))
    }

    @Test("of a revoked identity is refused until it is readmitted", arguments: AccountsMode.allCases)
    func revoked(_ mode: AccountsMode) throws {
        // A user of this test only: a revocation applies to the whole process.
        let user = Users.named("enrolled-\(mode)@contoso.com")
        feed.publish(PolicySet([user: .everything]))
        let levels = IdentityLevels()
        let accounts = accounts(mode, levels)
        IdentityRevocation.revoke(user, for: .signedOut)
        defer { IdentityRevocation.readmit(user, after: .wiped) }
        let error = expect(throws: PolicyError.Code.revoked) { try accounts.enroll(user) }
        #expect(error?.identity == user)
        #expect(accounts.enrolledIdentities.isEmpty)
        #expect(levels.process == nil)
        #expect(!accounts.isManaged(user), "nor managed, though the source names them")
        IdentityRevocation.readmit(user)
        try accounts.enroll(user)
        IdentityRevocation.revoke(user, for: .wiped)
        #expect(accounts.isManaged(user), "an account that is wiped stays managed until that is over")
        try accounts.unenroll(user)
        #expect(accounts.enrolledIdentities.isEmpty, "leaving asks nobody")
    }

    @Test("leaves nobody on the process level if its earlier identity was revoked meanwhile")
    func revokedBefore() throws {
        let before = Users.named("before-enrolling@contoso.com")
        let levels = IdentityLevels(process: before)
        let accounts = accounts(.single, levels)
        try accounts.enroll(ada)
        IdentityRevocation.revoke(before, for: .wiped)
        defer { IdentityRevocation.readmit(before, after: .wiped) }
        try accounts.unenroll(ada)
        #expect(levels.process == .nobody)
    }

    @Test("by many at once in single-identity mode has one winner, whose level it is") func atOnce() async {
        let users = (0..<16).map { Users.named("user\($0)@contoso.com") }
        feed.publish(PolicySet(standard: .nothing))
        for _ in 0..<50 {
            let levels = IdentityLevels()
            let accounts = accounts(.single, levels)
            let winners = await withTaskGroup { group in
                for user in users { group.addTask { (try? accounts.enroll(user)).map { user } } }
                return await group.reduce(into: [Identity]()) { $0 += [$1].compactMap { $0 } }
            }
            #expect(winners.count == 1)
            #expect(levels.process == winners.first)
            #expect(accounts.enrolledIdentities == Set(winners))
        }
    }
}
