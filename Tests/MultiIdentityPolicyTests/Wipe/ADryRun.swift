import Foundation
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("A dry run", .rule("13.6")) struct ADryRun {
    let folder = TemporaryFolder()
    let scene: WipeScene

    init() throws { scene = try WipeScene(folder.path) }

    @Test("counts and touches nothing") func countsAndTouchesNothing() async throws {
        IdentityRevocation.isOn = true
        let (ada, bob) = (scene.account(), scene.account())
        let wipe = try scene.wipe { _ in
            Issue.record("No handler is called.")
            return .notRemoved
        }
        let before = folder.names
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        let forecast = try await withIdentity(ada) { () async throws in try await wipe.dryRun(ada) }
        #expect(forecast.files == 5)
        #expect(forecast.bytes == 40)
        #expect(forecast.keyCount == 1)
        #expect(forecast.work.captured == 1)
        #expect(forecast.work.stillRunning == 0)
        #expect(forecast.runs == 0 && !forecast.isComplete)
        #expect(forecast.failures.isEmpty)
        #expect(folder.names == before)
        #expect(scene.isUntouched(ada) && scene.isUntouched(bob))
        #expect(!IdentityRevocation.isRevoked(ada))
        withExtendedLifetime(snapshot) {}
    }

    @Test("says that a wipe is not complete") func tellsThatAWipeIsNotComplete() async throws {
        let ada = scene.account()
        _ = try await scene.wipe { _ in throw POSIXError(.EIO) }.wipe(ada)
        let forecast = try await scene.wipe().dryRun(ada)
        #expect(forecast.runs == 1 && !forecast.isComplete)
        #expect(forecast.files == 0)
        #expect(forecast.keyCount == 1)
    }

    @Test("says what cannot be examined") func tellsWhatCannotBeLookedAt() async throws {
        let ada = scene.account()
        try FileManager.default.removeItem(atPath: scene.caches.path)
        let forecast = try await scene.wipe().dryRun(ada)
        #expect(forecast.files == 3)
        #expect(forecast.failures.count == 1)
    }
}
