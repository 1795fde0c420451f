import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("A plain task of a revoked identity", .rule("10.3")) struct RevokedTaskTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    @Test("shows nobody from the revocation on, and knows its owner") func unstructured() async throws {
        let (began, goOn) = (Gate(), Gate())
        let task = withIdentity(ada) {
            Task {
                let before = Standing.here
                began.open()
                await goOn.wait()
                return [before, Standing.here]
            }
        }
        await began.wait()
        await eventually { IdentityRevocation.workInFlight(of: ada).running == 0 }
        IdentityRevocation.revoke(ada, for: .wiped)
        goOn.open()
        #expect(await task.value == [.working(ada), .revoked(ada, .wiped)])
    }

    @Test("shows nobody in a child and in what it hands over, while its creator continues as before")
    func children() async throws {
        await withIdentity(ada) {
            let seen = await withTaskGroup(of: [Standing].self) { group in
                IdentityRevocation.revoke(ada, for: .signedOut)
                group.addTask {
                    let own = Standing.here
                    let handedOver = await withCheckedContinuation { continuation in
                        IdentityQueue.global().async { continuation.resume(returning: Standing.here) }
                    }
                    return [own, handedOver]
                }
                return await group.next() ?? []
            }
            #expect(seen == [.revoked(ada, .signedOut), .revoked(ada, .signedOut)])
            #expect(Standing.here == .working(ada))
        }
    }

    @Test("shows nobody if the scope around it has ended, also in a task of another one")
    func afterItsScope() async throws {
        let bob = try Revocation.newIdentity("bob")
        let (began, goOn) = (Gate(), Gate())
        let task = withIdentity(ada) {
            Task {
                began.open()
                await goOn.wait()
                let inner = withIdentity(bob) { Standing.here }
                return [inner, Standing.here]
            }
        }
        await began.wait()
        IdentityRevocation.revoke(ada, for: .signedOut)
        goOn.open()
        #expect(await task.value == [.working(bob), .revoked(ada, .signedOut)])
    }

    @Test("created through the package shows nobody if it had not begun, and itself if it had") func twins()
        async throws
    {
        let (began, goOn) = (Gate(), Gate())
        let task = withIdentity(ada) {
            Task.propagatingIdentity.detached {
                began.open()
                await goOn.wait()
                return Standing.here
            }
        }
        await began.wait()
        let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
        IdentityRevocation.revoke(ada, for: .signedOut)
        goOn.open()
        #expect(await task.value == .working(ada))
        #expect(await snapshot.restore { () async -> Standing in .here } == .revoked(ada, .signedOut))
    }

    @Test("passes on its captures and resolutions as they were shown here") func kept() async throws {
        let (began, goOn) = (Gate(), Gate())
        let task = withIdentity(ada) {
            Task { () -> (IdentitySnapshot, EffectiveIdentity, EffectiveIdentity) in
                let before = EffectiveIdentity.current(for: .files)
                began.open()
                await goOn.wait()
                return (.capture(), before, .current(for: .files))
            }
        }
        await began.wait()
        let (triggered, resolved) = withIdentity(ada) {
            (IdentitySnapshot.ofTrigger, EffectiveIdentity.current(for: .files))
        }
        let hash = resolved.hashValue
        IdentityRevocation.revoke(ada, for: .signedOut)
        goOn.open()
        let (snapshot, before, after) = await task.value
        #expect(snapshot.identity == .nobody)
        #expect(snapshot.restore { Standing.here } == .revoked(ada, .signedOut))
        #expect(before.identity == ada)
        #expect(after.identity == .nobody)
        #expect(triggered.identity == ada)
        #expect(triggered.restore { Standing.here } == .revoked(ada, .signedOut))
        #expect(resolved.identity == ada)
        #expect(resolved.hashValue == hash)
        #expect(resolved.explanation.entries.first?.hasChanged == true)
        IdentityRevocation.readmit(ada)
        #expect(snapshot.restore { Standing.here } == .revoked(ada, .signedOut))
    }
}
