import Testing

@testable import MultiIdentity

@Suite("A handler for a revocation") struct RevocationHandlerTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    @Test("is called once, in order, under nobody, and not for others", .rule("10.7"))
    func called() async throws {
        let eve = try Revocation.newIdentity("eve")
        let notes = Notes<String>()
        let standing = Notes<Standing>()
        let registrations = withIdentity(ada) {
            ["first", "second"].map { name in
                IdentityRevocation.onRevocation(of: ada) {
                    notes.add(name)
                    standing.add(.here)
                }
            } + [IdentityRevocation.onRevocation(of: eve) { notes.add("eve's") }]
        }
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 2)
        #expect(IdentityRevocation.revoke(ada, for: .wiped) == 0)
        #expect(notes.all == ["first", "second"])
        #expect(standing.all.allSatisfy { $0 == .revoked(ada, .signedOut) })
        withExtendedLifetime(registrations) {}
    }

    @Test("gets who was revoked, and why", arguments: IdentityRevocation.Reason.allCases)
    func notified(_ reason: IdentityRevocation.Reason) async throws {
        let errors = Notes<IdentityError>()
        let registration = IdentityRevocation.onRevocation(of: ada) { error in errors.add(error) }
        IdentityRevocation.revoke(ada, for: reason)
        #expect(errors.all.map(\.revokedOwner?.identity) == [ada])
        #expect(errors.all.map(\.revokedOwner?.reason) == [reason])
        withExtendedLifetime(registration) {}
    }

    @Test(
        "is not called once it was cancelled or released, and at once if the identity is already revoked",
        .rule("10.7")
    )
    func takenBack() async throws {
        let notes = Notes<String>()
        do {
            let cancelled = IdentityRevocation.onRevocation(of: ada) { notes.add("cancelled") }
            cancelled.cancel()
            _ = IdentityRevocation.onRevocation(of: ada) { notes.add("released") }
        }
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 0)
        let late = IdentityRevocation.onRevocation(of: ada) { notes.add("late") }
        let nobodys = IdentityRevocation.onRevocation(of: .nobody) { notes.add("nobody's") }
        #expect(notes.all == ["late"])
        withExtendedLifetime((late, nobodys)) {}
    }

    @Test("that was registered in a handler of a revocation is called only by a later one", .rule("10.7"))
    func registeredInAHandler() async throws {
        let (notes, kept) = (Notes<String>(), Notes<RevocationRegistration>())
        @Sendable func register(_ name: String) {
            kept.add(
                IdentityRevocation.onRevocation(of: ada) {
                    notes.add(name)
                    if name != "last" { register(name == "first" ? "second" : "last") }
                }
            )
        }
        register("first")
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 1)
        // Alone, and with another one that is registered and called at once.
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 0)
        await onNewThread { kept.add(IdentityRevocation.onRevocation(of: ada) { notes.add("at once") }) }
        #expect(notes.all == ["first", "at once"])
        #expect(IdentityRevocation.revoke(ada, for: .wiped) == 1)
        IdentityRevocation.readmit(ada, after: .wiped)
        #expect(notes.all == ["first", "at once", "second"])
        #expect(IdentityRevocation.revoke(ada, for: .wiped) == 1)
        #expect(notes.all == ["first", "at once", "second", "last"])
    }

    @Test("cancels work that asked for it, and no other work", .rule("10.7"))
    func cancels() async throws {
        let bob = try Revocation.newIdentity("bob")
        let asked = Notes<Identity?>()
        func sleeper(of identity: Identity, until gate: Gate) -> Task<Identity?, any Error> {
            withIdentity(identity) {
                Task {
                    try await IdentityRevocation.cancelling {
                        asked.add(.current)
                        await gate.wait()
                        try Task.checkCancellation()
                        return Identity.current
                    }
                }
            }
        }
        let gate = Gate()
        let (adas, bobs) = (sleeper(of: ada, until: gate), sleeper(of: bob, until: gate))
        // Not before: work that began before a revocation does not request admission after it.
        await eventually { asked.all.contains(ada) }
        #expect(IdentityRevocation.revoke(ada, for: .signedOut) == 1)
        gate.open()
        await #expect(throws: CancellationError.self) { try await adas.value }
        #expect(try await bobs.value == bob)
    }
}
