import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("An observer of accounts", .rule("8.2")) struct AccountsChangeTests {
    private let feed = PolicyFeed(PolicySet(standard: .everything))

    private func accounts(_ mode: AccountsMode = .multi) -> Accounts {
        Accounts(mode: mode, policies: feed, levels: IdentityLevels())
    }

    /// Collects the changes of these users and of policies.
    ///
    /// A revocation applies to the whole process, so other users' changes arrive as well.
    private func watch(_ accounts: Accounts, _ users: Identity...) -> (Notes<AccountsChange>, Subscription) {
        let seen = Notes<AccountsChange>()
        let subscription = accounts.onChange { change in
            switch change {
            case .enrolled(let identity), .left(let identity), .revoked(let identity, _), .readmitted(let identity):
                if users.contains(identity) { seen.add(change) }
            case .policiesReplaced: seen.add(change)
            case .registered, .deregistered, .accountsRead: break
            }
        }
        return (seen, subscription)
    }

    @Test("is notified of each change once, in order, when it has taken effect", arguments: AccountsMode.allCases)
    func inOrder(_ mode: AccountsMode) throws {
        let ada = Users.named("watched-\(mode)@contoso.com")
        let accounts = accounts(mode)
        let (seen, subscription) = watch(accounts, ada)
        let agreeing = Notes<Bool>()
        let other = accounts.onChange { change in
            switch change {
            case .enrolled(ada): agreeing.add(accounts.enrolledIdentities == [ada])
            case .left(ada): agreeing.add(accounts.enrolledIdentities.isEmpty)
            case .policiesReplaced: agreeing.add(accounts.allowedAccounts == [ada])
            default: break
            }
        }
        try accounts.enroll(ada)
        try accounts.enroll(ada)
        #expect(throws: PolicyError.self) { try accounts.enroll(.nobody) }
        try accounts.unenroll(ada)
        #expect(throws: PolicyError.self) { try accounts.unenroll(ada) }
        feed.publish(PolicySet(standard: .everything, allowedAccounts: [ada]))
        feed.publish(PolicySet(standard: .everything, allowedAccounts: [ada]))
        try accounts.enroll(ada)
        IdentityRevocation.revoke(ada, for: .signedOut)
        IdentityRevocation.revoke(ada, for: .signedOut)
        IdentityRevocation.revoke(ada, for: .wiped)
        IdentityRevocation.readmit(ada, after: .wiped)
        IdentityRevocation.readmit(ada, after: .wiped)
        #expect(
            seen.all == [
                .enrolled(ada), .left(ada), .policiesReplaced, .enrolled(ada), .revoked(ada, for: .signedOut),
                .left(ada),
                .revoked(ada, for: .wiped), .readmitted(ada),
            ]
        )
        #expect(agreeing.all == [true, true, true, true, true])
        subscription.cancel()
        other.cancel()
        try accounts.enroll(ada)
        #expect(seen.all.count == 8)
    }

    @Test("is notified that an account left once its wipe is complete") func wiped() async throws {
        let ada = Users.named("watched-wiped@contoso.com")
        let folder = TemporaryFolder()
        let accounts = accounts()
        try accounts.enroll(ada)
        let (seen, subscription) = watch(accounts, ada)
        let wipe = try IdentityWipe(journals: folder / "wipes", accounts: accounts, storages: []) { _ in
            #expect(seen.all == [.revoked(ada, for: .wiped)])
            return .notRemoved
        }
        #expect(try await wipe.wipe(ada).isComplete)
        defer { IdentityRevocation.readmit(ada, after: .wiped) }
        #expect(seen.all == [.revoked(ada, for: .wiped), .left(ada)])
        withExtendedLifetime(subscription) {}
    }

    @Test("runs as its subscriber, and may change what it is notified of") func reentrance() throws {
        let (ada, bob) = (Users.named("watched-again@contoso.com"), Users.bob)
        let accounts = accounts()
        let seen = Notes<Identity?>()
        let subscription = withIdentity(bob) {
            accounts.onChange { change in
                guard case .revoked(ada, _) = change else { return }
                seen.add(Identity.current)
                IdentityRevocation.readmit(ada)
                try? accounts.enroll(ada)
            }
        }
        withIdentity(ada) { _ = IdentityRevocation.revoke(ada, for: .signedOut) }
        #expect(seen.all == [bob])
        #expect(accounts.enrolledIdentities == [ada])
        withExtendedLifetime(subscription) {}
    }

    @Test("receives many changes at once, and the last one for each account is its current state")
    func atOnce() async throws {
        let users = (0..<8).map { Users.named("watched-\($0)@contoso.com") }
        let accounts = accounts()
        let seen = Notes<AccountsChange>()
        let subscription = accounts.onChange { seen.add($0) }
        await withTaskGroup { group in
            for user in users {
                for task in 0..<3 {
                    group.addTask {
                        for _ in 0..<50 {
                            switch task {
                            case 0: try? accounts.enroll(user)
                            case 1: IdentityRevocation.revoke(user, for: .signedOut)
                            default: IdentityRevocation.readmit(user)
                            }
                        }
                    }
                }
            }
        }
        for user in users {
            var (isEnrolled, isRevoked) = (false, false)
            for change in seen.all {
                switch change {
                case .enrolled(user):
                    #expect(!isEnrolled && !isRevoked)
                    isEnrolled = true
                case .left(user): isEnrolled = false
                case .revoked(user, _):
                    #expect(!isRevoked)
                    isRevoked = true
                case .readmitted(user):
                    #expect(isRevoked)
                    isRevoked = false
                default: break
                }
            }
            #expect(accounts.enrolledIdentities.contains(user) == isEnrolled)
            #expect(IdentityRevocation.isRevoked(user) == isRevoked)
            #expect(!(isEnrolled && isRevoked), "nobody is enrolled who is revoked")
            IdentityRevocation.readmit(user)
        }
        withExtendedLifetime(subscription) {}
    }
}
