import Foundation
import Testing

@testable import MultiIdentity

@Suite("An alias of an account") struct OtherNameTests {
    /// Names for a single test, since a refused name is refused in the whole process.
    private let account: Identity
    private let text = "Oid-\(UUID())"
    private let names = AccountNames()

    init() throws { account = try Revocation.newIdentity() }

    private func put(announcing: Bool = true) { names.set([text.lowercased()], of: account, announcing: announcing) }

    @Test("makes its own identity, whatever it is read from", .rule("15.12"))
    func makesItsOwn() throws {
        let before = try Identity(text)
        put()
        let made = [
            before, try Identity(text), try Identity(text.uppercased()), try Identity(utf8: Array(text.utf8)),
            try JSONDecoder().decode(Identity.self, from: JSONEncoder().encode(text)),
            try Identity(text, verifiedBy: IdentityVerification(way: "a test", party: "nobody"), actor: nil),
        ]
        for identity in made {
            #expect(identity == before && identity != account && identity.name.lowercased() == text.lowercased())
        }
    }

    @Test("is not admitted, whenever it was made, and the error names the account", .rule("10.4"))
    func isNotAdmitted() throws {
        let before = try Identity(text)
        put()
        for refused in [before, try Identity(text), try account.acted(by: before)] {
            let error = expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(refused) }
            #expect(error?.revokedOwner?.account == account && error?.revokedOwner?.identity == before)
            #expect("\(try #require(error))".contains("is an alias of \(account)"))
        }
        #expect(IdentityRevocation.all[before] == nil, "nobody has left")
        try IdentityRevocation.admit(account)
        let levels = IdentityLevels()
        expect(throws: IdentityError.Code.revoked) { try levels.switchUI(to: before) }
    }

    @Test(
        "has its captured work run under nobody, which knows the former owner",
        .rule("10.1"),
        arguments: RevokedWorkTests.heldUp
    )
    func hasCapturedWorkRunUnderNobody(_ boundary: Boundary) async throws {
        IdentityRevocation.isOn = true
        let name = try Identity(text)
        let found = Locked<RevokedOwner?>(nil)
        let standing = try await RevokedWorkTests.run(boundary, of: name, from: .thread) {
            put()
        } look: {
            found.withLock { $0 = IdentityRevocation.revokedOwner }
        }
        #expect(standing == .revoked(name, .signedOut) && found.withLock { $0 }?.account == account)
    }

    @Test("lets begun work continue, whose captures run as nobody once the alias is free", .rule("10.2"))
    func isANewLifeOnceFree() async throws {
        IdentityRevocation.isOn = true
        let name = try Identity(text)
        let snapshot = withIdentity(name) {
            let snapshot = IdentitySnapshot.capture()
            put()
            #expect(Standing.here == .working(name))
            #expect(!IdentityRevocation.workInFlight(of: name).isDrained)
            return snapshot
        }
        names.free(name)
        #expect(names.account(named: name) == nil && IdentityRevocation.otherNames(of: account).isEmpty)
        try IdentityRevocation.admit(name)
        withIdentity(name) { #expect(Standing.here == .working(name)) }
        snapshot.restore { #expect(Standing.here == .revoked(name, .signedOut)) }
    }

    @Test("is freed as fast as it was set, with any number of others", .rule("15.12"))
    func isFreedAtOnce() throws {
        let many = (0..<16_000).map { "\(text.lowercased())-\($0)" }
        let given = ContinuousClock().measure { names.set(many, of: account) }
        let name = try Identity(many[7])
        #expect(IdentityRevocation.account(named: name) == account)
        let freed = ContinuousClock().measure { names.set([], of: account) }
        #expect(freed < given * 10)
        #expect(IdentityRevocation.account(named: name) == nil && IdentityRevocation.otherNames(of: account).isEmpty)
    }

    @Test("stays refused when its own sign-out is lifted, and stays signed out when it is free", .rule("10.5"))
    func hasARevocationOfItsOwnBeside() throws {
        let name = try Identity(text)
        put()
        IdentityRevocation.revoke(name, for: .signedOut)
        #expect(IdentityRevocation.all[name] == .signedOut && IdentityRevocation.hasDeparted(name))
        #expect(!IdentityRevocation.readmit(name) && IdentityRevocation.all[name] == nil)
        #expect(IdentityRevocation.account(named: name) == account && !IdentityRevocation.hasDeparted(name))
        IdentityRevocation.revoke(name, for: .wiped)
        names.free(name)
        let error = expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(name) }
        #expect(error?.revokedOwner?.account == nil && error?.revokedOwner?.reason == .wiped)
        #expect(IdentityRevocation.readmit(name, after: .wiped))
        try IdentityRevocation.admit(name)
    }

    @Test(
        "calls its handlers and is announced, unless it was there at the start",
        .rule("10.7"),
        arguments: [true, false]
    )
    func callsItsHandlers(_ isAnnounced: Bool) throws {
        let (name, called) = (try Identity(text), Notes<Identity?>())
        let registration = IdentityRevocation.onRevocation(of: name) { (error: IdentityError) in
            called.add(error.revokedOwner?.account)
        }
        let watcher = NameWatcher(of: name)
        IdentityRevocation.watch(watcher)
        defer { IdentityRevocation.unwatch(watcher) }
        put(announcing: isAnnounced)
        put(announcing: isAnnounced)
        #expect(called.all == (isAnnounced ? [account] : []))
        names.free(name)
        #expect(watcher.seen.all == (isAnnounced ? ["revoked", "readmitted"] : ["readmitted"]))
        withExtendedLifetime(registration) {}
    }

    @Test("of two accounts is refused by both, and ends with its registry", .rule("15.12"))
    func isRefusedByBoth() throws {
        let (name, bob) = (try Identity(text), try Revocation.newIdentity("bob"))
        var others: AccountNames? = AccountNames()
        put()
        others?.set([text.lowercased()], of: bob)
        #expect(IdentityRevocation.account(named: name) == account, "whoever said so first")
        #expect(others?.account(named: name) == bob && names.account(named: name) == account)
        names.free(name)
        #expect(IdentityRevocation.account(named: name) == bob)
        others = nil
        #expect(IdentityRevocation.account(named: name) == nil && !IdentityRevocation.isRevoked(name))
    }

    @Test("moves to another account at once, and ends if the account no longer has it", .rule("15.12"))
    func moves() throws {
        let (name, bob) = (try Identity(text), try Revocation.newIdentity("bob"))
        put()
        names.set([name.caselessName, "", bob.caselessName], of: bob)
        #expect(names.account(named: name) == bob && names.names(of: account).isEmpty && names.names(of: bob) == [name])
        names.set([], of: bob)
        #expect(names.account(named: name) == nil && !IdentityRevocation.isRevoked(name))
    }

    @Test("is resolved by an explicit call, with its verification and its actors", .rule("15.12"))
    func isResolved() throws {
        let (name, support, agent) = (try Identity(text), try Revocation.newIdentity(), try Revocation.newIdentity())
        let way = IdentityVerification(way: "a test", party: "nobody")
        put()
        names.add(support, to: agent)
        #expect(
            names.resolved(name) == account && names.resolved(account) == account && names.resolved(.nobody) == .nobody
        )
        let claimed = try Identity(text, verifiedBy: way, actor: IdentityActor([support, name]))
        let resolved = names.resolved(claimed)
        #expect(resolved == account && resolved.name == account.name && resolved.verification == way)
        #expect(resolved.actor?.identities == [agent, account])
        let own = try account.acted(by: name)
        #expect(names.resolved(own) == account && names.resolved(own).actor?.identity == account)
    }
}

/// Records the events of one name.
private final class NameWatcher: RevocationWatcher {
    let seen = Notes<String>()
    private let name: Identity

    init(of name: Identity) { self.name = name }

    func note(_ event: RevocationEvent) {
        switch event {
        case .revoked(name, _): seen.add("revoked")
        case .departed(name): seen.add("departed")
        case .readmitted(name): seen.add("readmitted")
        default: break
        }
    }

    func notify() {}
}
