import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A queue that drops revoked work", .rule("10.8")) struct RevocableQueueTests {
    struct Refused: Error {}

    @Test("calls the handler in its place, in its turn, and balances the group", arguments: [false, true])
    func drops(_ isDelayed: Bool) async throws {
        try await Revocation.whileOn { ada in
            let bob = try Revocation.newIdentity("bob")
            let base = DispatchQueue(label: "blocked")
            let queue = base.propagatingIdentity.droppingRevoked
            let (group, notes) = (DispatchGroup(), Notes<String>())
            base.suspend()
            for (name, identity) in [("ada", ada), ("bob", bob)] {
                withIdentity(identity) {
                    let work: @Sendable () -> Void = { notes.add("\(name) ran") }
                    let drop: @Sendable (RevokedOwner) -> Void = { owner in
                        let isRight = owner.identity == identity && Standing.here == .revoked(identity, .signedOut)
                        notes.add("\(name) was dropped\(isRight ? "" : ", wrongly")")
                    }
                    if isDelayed {
                        queue.asyncAfter(deadline: .now(), execute: work, onRevocation: drop)
                    } else {
                        queue.async(group: group, execute: work, onRevocation: drop)
                    }
                }
            }
            IdentityRevocation.revoke(ada, for: .signedOut)
            base.resume()
            await withCheckedContinuation { done in group.notify(queue: base) { done.resume() } }
            await eventually { notes.all.count == 2 }
            #expect(notes.all == ["ada was dropped", "bob ran"])
        }
    }

    @Test("gives code that waits for it an error instead of hanging, and else the work's value or error")
    func run() async throws {
        try await Revocation.whileOn { ada in
            let queue = IdentityQueue(label: "work").droppingRevoked
            let ran = try await withIdentity(ada) { try await queue.run { Identity.current } }
            #expect(ran == ada)
            await #expect(throws: Refused.self) { try await queue.run { throw Refused() } }
            await withIdentity(ada) {
                IdentityRevocation.revoke(ada, for: .wiped)
                let error = await expect(throws: IdentityError.Code.revoked) { try await queue.run { 1 } }
                #expect(error?.revokedOwner?.identity == ada)
                #expect(error?.revokedOwner?.reason == .wiped)
                // Never for `sync`.
                #expect(queue.queue.sync { Identity.current } == ada)
            }
        }
    }
}
