import Testing

@testable import MultiIdentity

@Suite("A name that is readmitted") struct ReadmissionTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    @Test(
        "works again, and work captured or begun before its revocation does not, however often it changes",
        .rule("10.5")
    )
    func generations() async throws {
        var older: [IdentitySnapshot] = []
        for _ in 0..<20 {
            older.append(withIdentity(ada) { IdentitySnapshot.capture() })
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            for snapshot in older { #expect(snapshot.restore { Standing.here } == .revoked(ada, .signedOut)) }
            withIdentity(ada) {
                #expect(Standing.here == .working(ada))
                #expect(IdentitySnapshot.capture().restore { Standing.here } == .working(ada))
            }
            #expect(IdentitySnapshot(of: ada).restore { Standing.here } == .working(ada))
        }
    }

    @Test("has work from a scope that was opened in the meantime: sign-in code may run as the user")
    func signingIn() async throws {
        IdentityRevocation.revoke(ada, for: .signedOut)
        withIdentity(ada) {
            let before = IdentitySnapshot.capture()
            #expect(before.restore { Standing.here } == .revoked(ada, .signedOut))
            IdentityRevocation.readmit(ada)
            #expect(before.restore { Standing.here } == .working(ada))
            #expect(IdentitySnapshot.capture().restore { Standing.here } == .working(ada))
        }
    }

    @Test("has no work that its earlier life hands over", .rule("10.5"))
    func inherited() async throws {
        withIdentity(ada) {
            IdentityRevocation.revoke(ada, for: .signedOut)
            let meanwhile = IdentitySnapshot.capture()
            IdentityRevocation.readmit(ada)
            let afterwards = IdentitySnapshot.capture()
            // The scope is older than the revocation, and so is everything captured in it.
            #expect(meanwhile.restore { Standing.here } == .revoked(ada, .signedOut))
            #expect(afterwards.restore { Standing.here } == .revoked(ada, .signedOut))
            #expect(withIdentity(ada) { IdentitySnapshot.capture() }.restore { Standing.here } == .working(ada))
        }
    }
}
