import Dispatch
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityTesting
import Testing

@Suite("The actors of an identity", .rule("1.6")) struct IdentityActorTests {
    private let support = Users.named("support@contoso.com")
    private let robot = Users.named("robot@contoso.com")

    @Test("are in order, the current one first") func isToldInOrder() throws {
        #expect(ada.actor == nil && Identity.nobody.actor == nil)
        let once = try ada.acted(by: support)
        #expect(once.actor?.identities == [support] && once.actor?.identity == support && ada.actor == nil)
        // A robot acts now for the former actor.
        #expect(try once.acted(by: robot).actor?.description == "robot@contoso.com for support@contoso.com")
        // Support acts, and a robot acts for support.
        #expect(try ada.acted(by: support.acted(by: robot)).actor?.identities == [support, robot])
        #expect(once.withoutActor.actor == nil && once.withoutActor == ada && ada.withoutActor == ada)
    }

    @Test("do not affect comparison, so that permissions are those of the identity")
    func takesNoPartInComparing() throws {
        let acted = try ada.acted(by: support)
        #expect(acted == ada && acted.hashValue == ada.hashValue && acted.name == ada.name && !(acted < ada))
        #expect("\(acted)" == "\(ada)" && Set([acted, ada]).count == 1)
    }

    @Test("are refused if one of the two is nobody, or there would be too many") func isRefused() throws {
        for (identity, actor) in [(ada, Identity.nobody), (.nobody, ada), (.nobody, .nobody)] {
            expect(throws: IdentityError.Code.invalidActor) { try identity.acted(by: actor) }
        }
        var work = ada
        for _ in 0..<IdentityActor.maximumCount { work = try work.acted(by: support) }
        expect(throws: IdentityError.Code.tooManyActors) { try work.acted(by: robot) }
    }

    @Test("cross hops and tasks, and belong to their own work alone") func crossesHops() async throws {
        let queue = IdentityQueue(label: "actors")
        let acted = try ada.acted(by: support)
        // The same identity with and without an actor: a hop must not mistake one for the other.
        for (identity, expected) in [(acted, "support@contoso.com"), (ada, nil), (acted, "support@contoso.com")]
            as [(Identity, String?)]
        {
            await withIdentity(identity) {
                let seen = await withCheckedContinuation { continuation in
                    queue.async { continuation.resume(returning: Identity.current?.actor?.description) }
                }
                #expect(seen == expected)
                #expect(queue.sync { Identity.current?.actor?.description } == expected)
                #expect(await Task { Identity.current?.actor?.description }.value == expected)
                #expect(IdentitySnapshot.capture().restore { Identity.current?.actor?.description } == expected)
            }
            // Inside a scope of the other.
            withIdentity(acted) {
                withIdentity(identity) {
                    #expect(queue.sync { Identity.current?.actor?.description } == expected)
                    #expect(Identity.current?.actor?.description == expected)
                }
                #expect(Identity.current?.actor?.description == "support@contoso.com")
            }
        }
    }

    @Test("appear in an explanation") func standsInAnExplanation() throws {
        try withIdentityLevels(IdentityLevels()) {
            try withIdentity(ada.acted(by: support)) {
                let text = "\(EffectiveIdentity.current(for: .files).explanation)"
                #expect(text.contains("ada@contoso.com <- decided") && text.contains(", acted by support@contoso.com"))
            }
        }
    }

    @Test("have no new work admitted if one is revoked") func thatIsRevoked() throws {
        let leaver = try Identity("leaver.of.actors@contoso.com")
        let acted = try ada.acted(by: leaver)
        try IdentityRevocation.admit(acted)
        IdentityRevocation.revoke(leaver, for: .signedOut)
        let error = expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(acted) }
        #expect(error?.revokedOwner?.identity == leaver)
        try IdentityRevocation.admit(acted.withoutActor)
        IdentityRevocation.readmit(leaver)
        try IdentityRevocation.admit(acted)
    }
}
