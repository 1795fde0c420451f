import Dispatch
import Testing

@testable import MultiIdentity
@testable import MultiIdentityDiagnostics

@Suite("Work in flight of one name", .rule("10.6")) struct WorkInFlightTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    struct Refused: Error {}

    private static func counts(of identity: Identity) -> [Int] {
        let work = IdentityRevocation.workInFlight(of: identity)
        return [work.captured, work.running]
    }

    @Test("is shown in the spelling of the work, and not of the one that asks or revokes")
    func spelling() async throws {
        try await ProcessWideSwitch.exclusively(turning: { RunningWork.isRecorded = $0 }) {
            try await Revocation.whileOn { ada in
                let spelled = try Identity(ada.name.uppercased())
                let captured = withIdentity(spelled) { IdentitySnapshot.capture() }
                let names = withIdentity(spelled) { () -> [String?] in
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    let running = IdentityRevocation.workInFlight(of: ada).work.map { $0.identity?.name }
                    return running + [captured.restore { IdentityRevocation.revokedOwner?.identity.name }]
                }
                #expect(names == [spelled.name, spelled.name])
            }
        }
    }

    @Test("is counted while it waits and while it runs, and not after", arguments: RevokedWorkTests.heldUp)
    func lifetime(_ boundary: Boundary) async throws {
        let queue = DispatchQueue(label: "blocked")
        let seen = Notes<[Int]>()
        do {
            queue.suspend()
            let handOver = withIdentity(ada) { boundary.prepare(queue) { seen.add(Self.counts(of: ada)) } }
            withIdentity(ada) { handOver() }
            #expect(Self.counts(of: ada)[0] >= 1)
            #expect(Self.counts(of: ada)[1] == 0)
            queue.resume()
            await eventually { !seen.all.isEmpty }
        }
        #expect(seen.all.allSatisfy { $0[1] == 1 })
        // Waiting and repeating work, and the last running work, is released with its libraries' objects.
        await eventually { Self.counts(of: ada)[1] == 0 }
    }

    @Test("is correct after it was dropped, cancelled, never run, or threw") func neverRun() async throws {
        do {
            let wrapped = withIdentity(ada) {
                IdentitySnapshot.capture().wrap { () throws(Refused) in throw Refused() }
            }
            #expect(Self.counts(of: ada) == [1, 0])
            #expect(throws: Refused.self) { try wrapped() }
            #expect(throws: Refused.self) { try withIdentity(ada) { throw Refused() } }
            await #expect(throws: Refused.self) {
                try await withIdentity(ada) { () async throws -> Void in
                    #expect(Self.counts(of: ada) == [1, 1])
                    try await IdentitySnapshot.capture().restore { () async throws -> Void in throw Refused() }
                }
            }
        }
        #expect(Self.counts(of: ada) == [0, 0])
        do {
            let item = withIdentity(ada) { DispatchWorkItem.propagatingIdentity {} }
            #expect(Self.counts(of: ada) == [1, 0])
            item.cancel()
            item.perform()
        }
        #expect(Self.counts(of: ada) == [0, 0])
        do {
            let queue = IdentityQueue(label: "never resumed", attributes: .initiallyInactive)
            withIdentity(ada) { queue.async {} }
            #expect(Self.counts(of: ada) == [1, 0])
            queue.activate()
            queue.sync {}
        }
        await eventually { Self.counts(of: ada) == [0, 0] }
    }

    @Test("is correct after a revocation between capture and start") func revokedInBetween() async throws {
        do {
            let wrapped = withIdentity(ada) { IdentitySnapshot.capture().wrap {} as @Sendable () -> Void }
            IdentityRevocation.revoke(ada, for: .signedOut)
            wrapped()
            #expect(Self.counts(of: ada) == [1, 0])
        }
        #expect(Self.counts(of: ada) == [0, 0])
    }

    @Test("is counted for each name separately, also in nested scopes") func names() async throws {
        let bob = try Revocation.newIdentity("bob")
        withIdentity(ada) {
            withIdentity(bob) {
                withIdentity(ada) {
                    #expect(Self.counts(of: ada) == [0, 2])
                    #expect(Self.counts(of: bob) == [0, 1])
                }
            }
        }
        #expect(Self.counts(of: ada) == [0, 0])
        #expect(Self.counts(of: bob) == [0, 0])
    }
}
