import Testing

@testable import MultiIdentity

@Suite("Who is revoked") struct AdmissionTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    @Test(
        "is not admitted, and the error says who, why and what to do",
        .rule("10.4"),
        arguments: IdentityRevocation.Reason.allCases
    )
    func refused(_ reason: IdentityRevocation.Reason) async throws {
        try IdentityRevocation.admit(ada)
        IdentityRevocation.revoke(ada, for: reason)
        let error = expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(ada) }
        #expect(error?.revokedOwner?.identity == ada)
        #expect(error?.revokedOwner?.reason == reason)
        let text = error?.description ?? ""
        #expect(text.contains(ada.name))
        #expect(text.contains("was \(reason)"))
        #expect(text.contains(reason == .wiped ? "until the wipe is complete" : "Sign in again"))
    }

    @Test("does not affect nobody, unset and all others", .rule("10.4"))
    func others() async throws {
        IdentityRevocation.revoke(ada, for: .signedOut)
        try IdentityRevocation.admit(nil)
        try IdentityRevocation.admit(.nobody)
        try IdentityRevocation.admit(Revocation.newIdentity("eve"))
        #expect(IdentityRevocation.revoke(.nobody, for: .wiped) == 0)
        #expect(!IdentityRevocation.isRevoked(.nobody))
        #expect(!IdentityRevocation.readmit(.nobody, after: .wiped))
    }

    @Test("is not admitted through work that runs under nobody for that reason", .rule("10.4"))
    func laundered() async throws {
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        try IdentityRevocation.admit(workOf: .current(for: .files))
        IdentityRevocation.revoke(ada, for: .signedOut)
        snapshot.restore {
            let error = expect(throws: IdentityError.Code.revoked) {
                try IdentityRevocation.admit(workOf: .current(for: .files))
            }
            #expect(error?.revokedOwner?.identity == ada)
            expect(throws: IdentityError.Code.revoked) {
                try withIdentity(nil) { try IdentityRevocation.admit(workOf: .current(for: .files)) }
            }
        }
        try withIdentity(.nobody) { try IdentityRevocation.admit(workOf: .current(for: .files)) }
        expect(throws: IdentityError.Code.revoked) {
            try withIdentity(ada) { try IdentityRevocation.admit(workOf: .current(for: .files)) }
        }
    }

    @Test("is not returned as nobody to code that requires an identity, which nobody's own work gets", .rule("10.4"))
    func required() async throws {
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        IdentityRevocation.revoke(ada, for: .signedOut)
        snapshot.restore {
            let error = expect(throws: IdentityError.Code.revoked) {
                try Identity.required(fileID: "Mail/Sending.swift", line: 12)
            }
            #expect(error?.revokedOwner == RevokedOwner(of: ada, for: .signedOut))
            #expect(error?.message.contains("Mail/Sending.swift:12") == true)
            expect(throws: IdentityError.Code.revoked) { try withIdentity(.nobody) { try Identity.required() } }
        }
        let found = try [Identity.nobody, ada].map { try withIdentity($0) { try Identity.required() } }
        #expect(found == [.nobody, ada])
    }

    @Test("is not admitted in a scope that began before its revocation, though it was readmitted since", .rule("10.4"))
    func earlierLife() async throws {
        try withIdentity(ada) {
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            expect(throws: IdentityError.Code.revoked) {
                try IdentityRevocation.admit(workOf: .current(for: .files))
            }
            try withIdentity(ada) { try IdentityRevocation.admit(workOf: .current(for: .files)) }
        }
    }

    @Test(
        "stays revoked although no identity of the name is left, in any spelling; once readmitted, the name is forgotten",
        .rule("10.5")
    )
    func forgotten() throws {
        let name = "ada-\(UInt64.random(in: 0 ... .max))@contoso.com"
        func isKept() -> Bool { IdentityRevocation.all.keys.contains { $0.name == name } }
        IdentityRevocation.revoke(try Identity(name), for: .signedOut)
        #expect(try IdentityRevocation.isRevoked(Identity(name.uppercased())))
        #expect(isKept())
        #expect(IdentityRevocation.readmit(try Identity(name)))
        #expect(try !IdentityRevocation.isRevoked(Identity(name)))
        #expect(!isKept())
    }

    @Test("is revoked once, for the stronger reason, and a sign-in does not lift a wipe", .rule("10.5"))
    func stronger() async throws {
        IdentityRevocation.revoke(ada, for: .signedOut)
        IdentityRevocation.revoke(ada, for: .wiped)
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(IdentityRevocation.all[ada] == .wiped)
        #expect(!IdentityRevocation.readmit(ada))
        let error = expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(ada) }
        #expect(error?.revokedOwner?.reason == .wiped)
        IdentityRevocation.hold(ada)
        #expect(!IdentityRevocation.readmit(ada, after: .wiped))
        IdentityRevocation.hold(ada)
        IdentityRevocation.letGo(ada)
        #expect(!IdentityRevocation.readmit(ada, after: .wiped))
        IdentityRevocation.letGo(ada)
        #expect(IdentityRevocation.readmit(ada, after: .wiped))
        #expect(!IdentityRevocation.readmit(ada, after: .wiped))
        try IdentityRevocation.admit(ada)
    }
}
