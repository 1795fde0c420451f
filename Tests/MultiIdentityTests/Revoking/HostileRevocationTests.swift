import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Malicious use of revocation") struct HostileRevocationTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    @Test("by revoked work, of its own owner, of others and of nobody, has the usual effect", .rule("10.7"))
    func byRevokedWork() async throws {
        let bob = try Revocation.newIdentity("bob")
        defer { IdentityRevocation.readmit(bob, after: .wiped) }
        let (adas, bobs) = (withIdentity(ada) { IdentitySnapshot.capture() }, IdentitySnapshot(of: bob))
        IdentityRevocation.revoke(ada, for: .signedOut)
        adas.restore {
            IdentityRevocation.revoke(ada, for: .wiped)
            IdentityRevocation.revoke(bob, for: .signedOut)
            IdentityRevocation.revoke(.nobody, for: .wiped)
            // The reason is the one at the beginning.
            #expect(Standing.here == .revoked(ada, .signedOut))
            #expect(bobs.restore { Standing.here } == .revoked(bob, .signedOut))
            IdentityRevocation.readmit(ada, after: .wiped)
            #expect(Standing.here == .revoked(ada, .signedOut))
            #expect(IdentitySnapshot.capture().restore { Standing.here } == .revoked(ada, .signedOut))
        }
        #expect(IdentityRevocation.workInFlight(of: ada).running == 0)
        #expect(IdentityRevocation.workInFlight(of: bob).running == 0)
    }

    @Test(
        "by a handler that revokes again, others and itself, readmits, and registers itself again, ends",
        .rule("10.7")
    )
    func byHandlers() async throws {
        let bob = try Revocation.newIdentity("bob")
        defer { IdentityRevocation.readmit(bob, after: .wiped) }
        let (calls, kept) = (Notes<String>(), Notes<RevocationRegistration>())
        @Sendable func arm() {
            let registration = IdentityRevocation.onRevocation(of: ada) {
                calls.add("ada")
                arm()
                if calls.all.count == 1 { IdentityRevocation.revoke(ada, for: .wiped) }
                IdentityRevocation.revoke(bob, for: .signedOut)
            }
            kept.add(registration)
        }
        arm()
        let bobs = IdentityRevocation.onRevocation(of: bob) {
            calls.add("bob")
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada, after: .wiped)
        }
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 1)
        // Ada's, again from within for a stronger reason; then Bob's, which revokes no one.
        #expect(calls.all == ["ada", "ada", "bob"])
        #expect(!IdentityRevocation.isRevoked(ada))
        #expect(IdentityRevocation.isRevoked(bob))
        for registration in kept.all { registration.cancel() }
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 0)
        withExtendedLifetime(bobs) {}
    }

    @Test("in another spelling, or another composition, concerns the same name", .rule("10.5"))
    func spellings() async throws {
        let captured = withIdentity(try Identity(ada.name.uppercased())) { IdentitySnapshot.capture() }
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(captured.restore { Standing.here } == .revoked(ada, .signedOut))
        let composed = try Identity("zo\u{EB}-\(ada.name)")
        defer { IdentityRevocation.readmit(composed) }
        IdentityRevocation.revoke(composed, for: .signedOut)
        #expect(try IdentityRevocation.isRevoked(Identity("ZOe\u{308}-\(ada.name)")))
    }
}
