import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("A wipe with work in flight", .rule("13.2")) struct AWipeAndWorkInFlight {
    let folder = TemporaryFolder()
    let scene: WipeScene

    init() throws {
        IdentityRevocation.isOn = true
        scene = try WipeScene(folder.path)
    }

    /// Begins work that runs until the latch opens.
    private func begin(_ identity: Identity, until latch: Gate) async {
        let hasBegun = Gate()
        withIdentity(identity) {
            DispatchQueue.global().propagatingIdentity.async {
                hasBegun.open()
                latch.block()
            }
        }
        await hasBegun.wait()
    }

    @Test("waits for work to end before it calls the handler")
    func waitsForWorkToEndBeforeTheHandlerIsCalled() async throws {
        let ada = scene.account()
        let latch = Gate()
        await begin(ada, until: latch)
        let wipe = try scene.wipe { _ in
            #expect(IdentityRevocation.workInFlight(of: ada).isDrained)
            return .notRemoved
        }
        let isDraining = Gate()
        let report = Task {
            try await wipe.wipe(ada) { if $0.phase == .draining { isDraining.open() } }
        }
        await isDraining.wait()
        #expect(scene.isUntouched(ada))
        latch.open()
        #expect(try await report.value.work.stillRunning == 0)
        #expect(scene.isGone(ada))
    }

    @Test("continues without work that takes too long, and says so")
    func goesOnWithoutWorkThatTakesTooLongAndSaysSo() async throws {
        let ada = scene.account()
        let latch = Gate()
        await begin(ada, until: latch)
        defer { latch.open() }
        let report = try await scene.wipe(drainTimeout: .milliseconds(500)).wipe(ada)
        #expect(report.work.stillRunning == 1)
        #expect(report.isComplete)
        #expect(report.description.contains("still running: 1"))
        #expect(scene.isGone(ada))
    }

    @Test("cancels what can be cancelled") func cancelsWhatCanBeCutShort() async throws {
        let ada = scene.account()
        let latch = Gate()
        await begin(ada, until: latch)
        let registration = IdentityRevocation.onRevocation(of: ada) { latch.open() }
        let report = try await scene.wipe().wipe(ada)
        #expect(report.work.cancelled == 1)
        #expect(report.work.stillRunning == 0)
        withExtendedLifetime(registration) {}
    }

    @Test("is not delayed by a revocation handler that does not return")
    func isNotHeldUpByAHandlerOfARevocationThatDoesNotReturn() async throws {
        let ada = scene.account()
        let latch = Gate()
        let registration = IdentityRevocation.onRevocation(of: ada) { latch.block() }
        let report = try await scene.wipe(drainTimeout: .milliseconds(20)).wipe(ada)
        latch.open()
        #expect(report.work.stillRunning == 1)
        #expect(report.work.names.count == 1)
        #expect(report.isComplete)
        withExtendedLifetime(registration) {}
    }

    @Test("does not wait for the scope that waits for it") func doesNotWaitForTheScopeThatWaitsForIt() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe()
        let report = try await withIdentity(ada) { () async throws in try await wipe.wipe(ada) }
        #expect(report.work.stillRunning == 0)
        #expect(report.isComplete)
    }

    @Test("reports work that was captured and now runs as nobody")
    func tellsWhatWasCapturedAndRunsUnderNobodyNow() async throws {
        let ada = scene.account()
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        let report = try await scene.wipe().wipe(ada)
        #expect(report.work.captured == 1)
        #expect(snapshot.restore { Identity.current } == .nobody)
    }

    @Test("accepts any timeout", arguments: [Duration.seconds(Int64.max), .zero, .seconds(-1), .seconds(Int64.min)])
    func takesAnyLimit(_ limit: Duration) async throws {
        let ada = scene.account()
        #expect(try await scene.wipe(drainTimeout: limit).wipe(ada).isComplete)
    }
}
