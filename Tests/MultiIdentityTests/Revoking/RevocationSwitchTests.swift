import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

/// In separate processes: other tests rely on revocation staying on.
@Suite("Bindings and captures from before revocation was on") struct RevocationSwitchTests {
    @Test("run under nobody if captured before the first revocation, over each boundary", .rule("10.1"))
    func captured() async {
        await #expect(processExitsWith: .success) {
            for boundary in RevokedWorkTests.heldUp {
                IdentityRevocation.isOn = false
                let ada = try Revocation.newIdentity()
                let found = try await RevokedWorkTests.run(boundary, of: ada, from: .thread, revokedFor: .wiped)
                try #require(IdentityRevocation.isOn)
                try #require(found == .revoked(ada, .wiped), "\(boundary.name)")
            }
        }
    }

    @Test("let a plain task of an older scope keep its creator's identity, as documented", .rule("10.3"))
    func olderThanTheSwitch() async {
        await #expect(processExitsWith: .success) {
            let ada = try Revocation.newIdentity()
            let seen = await withIdentity(ada) {
                IdentityRevocation.revoke(ada, for: .signedOut)
                return await Task { Identity.current }.value
            }
            try #require(seen == ada)
        }
    }

    @Test("are a part of the caller's work if it has waited since before the first revocation")
    func awaited() async {
        await #expect(processExitsWith: .success) {
            for boundary in [IdentityBoundary.sync, .concurrentPerform] {
                IdentityRevocation.isOn = false
                let ada = try Revocation.newIdentity()
                let found = withIdentity(ada) { () -> Standing? in
                    let caller = CallersThread(at: boundary)
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    let (found, hasRun) = (Locked<Standing?>(nil), DispatchSemaphore(value: 0))
                    Thread.detachNewThread {
                        caller.run { found.withLock { $0 = .here } }
                        hasRun.signal()
                    }
                    hasRun.wait()
                    return found.withLock { $0 }
                }
                try #require(found == .working(ada))
                try #require(IdentityRevocation.workInFlight(of: ada).running == 0)
                try #require(IdentityRevocation.workInFlight(of: ada).captured == 0)
            }
        }
    }

    @Test("are not counted, and newer ones are not counted twice, however often it is switched", .rule("10.6"))
    func switchedInBetween() async {
        await #expect(processExitsWith: .success) {
            let ada = try Revocation.newIdentity()
            var counts: [Int] = []
            func count() { counts.append(IdentityRevocation.workInFlight(of: ada).running) }
            do {
                IdentityRevocation.isOn = true
                let captured = withIdentity(ada) { () -> IdentitySnapshot in
                    count()
                    IdentityRevocation.isOn = false
                    withIdentity(ada) { count() }
                    return .capture()
                }
                count()
                captured.restore { count() }
                try #require(captured.restore { Identity.current } == ada)
                IdentityRevocation.isOn = true
                captured.restore { count() }
            }
            count()
            try #require(counts == [1, 1, 0, 0, 1, 0])
            try #require(IdentityRevocation.workInFlight(of: ada).captured == 0)
        }
    }

    @Test("take no frame, and cost nothing while it is off again", .rule("10.9"))
    func takesNoFrame() async {
        await #expect(processExitsWith: .success) {
            let ada = try Revocation.newIdentity()
            func takesFrame() -> Bool {
                withIdentity(ada) { [ThreadMirror.current(), .capture()].contains { $0.contents != nil } }
            }
            try #require(!takesFrame())
            IdentityRevocation.isOn = true
            try #require(takesFrame())
            IdentityRevocation.isOn = false
            try #require(!takesFrame())
        }
    }

    @Test("keep the counts of one-shot work correct, switched while it waits and while it runs", .rule("10.9"))
    func switched() async {
        await #expect(processExitsWith: .success) {
            for isOnWhenItRuns in [false, true] {
                for isOnWhenItEnds in [false, true] {
                    IdentityRevocation.isOn = true
                    let ada = try Revocation.newIdentity()
                    let seen = Notes<Identity?>()
                    let box = OneShotWorkTests.handedOver(by: ada) {
                        seen.add(.current)
                        IdentityRevocation.isOn = isOnWhenItEnds
                    }
                    IdentityRevocation.isOn = isOnWhenItRuns
                    await onNewThread { OneShotWorkTests.run(box) }
                    IdentityRevocation.isOn = true
                    try #require(seen.all == [ada])
                    try #require(OneShotWorkTests.counts(of: ada) == [0, 0])
                }
            }
        }
    }

    @Test(
        "run one-shot work as its own identity, not as that of the scope where it was chosen",
        .rule("10.9"),
        .aboutTheMirror
    )
    func chosenIdentity() async {
        await #expect(processExitsWith: .success) {
            IdentityRevocation.isOn = true
            let (ada, bob) = (try Revocation.newIdentity("ada"), try Revocation.newIdentity("bob"))
            let chosen = withIdentity(ada) {
                IdentityRevocation.isOn = false
                return BoundaryCapture(at: .notify).with(WorkOwner(bob))
            }
            let seen = Notes<Standing>()
            let box = await onNewThread {
                chosen.restore { () -> Int in
                    IdentityRevocation.isOn = true
                    return Int(bitPattern: WorkBox({ seen.add(.here) }, OneShotWorkTests.capture()).givenUp())
                }
            }
            try #require(OneShotWorkTests.counts(of: ada) == [0, 0] && OneShotWorkTests.counts(of: bob) == [1, 0])
            IdentityRevocation.revoke(bob, for: .signedOut)
            await onNewThread { OneShotWorkTests.run(box) }
            try #require(seen.all == [.revoked(bob, .signedOut)])
        }
    }
}
