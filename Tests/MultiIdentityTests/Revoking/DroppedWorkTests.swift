import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Work that is dropped if its identity is revoked", .rule("10.8")) struct DroppedWorkTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    struct Refused: Error {}

    @Test("has its handler called instead, in order, and its group balanced")
    func drops() async throws {
        let bob = try Revocation.newIdentity("bob")
        let queue = IdentityQueue(label: "blocked")
        let (group, notes) = (DispatchGroup(), Notes<String>())
        queue.base.suspend()
        for (name, identity) in [("ada", ada), ("bob", bob)] {
            let work = IdentityRevocation.dropping {
                notes.add("\(name) ran")
            } onRevocation: { owner in
                let isRight = owner.identity == identity && Standing.here == .revoked(identity, .signedOut)
                notes.add("\(name) was dropped\(isRight ? "" : ", wrongly")")
            }
            withIdentity(identity) { queue.async(group: group, execute: work) }
        }
        IdentityRevocation.revoke(ada, for: .signedOut)
        queue.base.resume()
        await withCheckedContinuation { done in group.notify(queue: queue.base) { done.resume() } }
        #expect(notes.all == ["ada was dropped", "bob ran"])
    }

    @Test("throws an error to waiting code instead of hanging; otherwise the work's result or error")
    func run() async throws {
        let queue = IdentityQueue(label: "work")
        let ran = try await withIdentity(ada) { try await queue.runUnlessRevoked { Identity.current } }
        #expect(ran == ada)
        await #expect(throws: Refused.self) { try await queue.runUnlessRevoked { throw Refused() } }
        await withIdentity(ada) {
            IdentityRevocation.revoke(ada, for: .wiped)
            let error = await expect(throws: IdentityError.Code.revoked) { try await queue.runUnlessRevoked { 1 } }
            #expect(error?.revokedOwner?.identity == ada)
            #expect(error?.revokedOwner?.reason == .wiped)
            // Never for `sync`.
            #expect(queue.sync { Identity.current } == ada)
        }
    }
}
