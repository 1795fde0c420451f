import Foundation
import Testing

@testable import MultiIdentity

@Suite("Draining the work of one name") struct DrainingTests {
    private let revocation = Revocation()
    private var ada: Identity { revocation.ada }

    @Test("waits for running work, and not for work that can no longer begin", .rule("10.6"))
    func waits() async throws {
        let (began, goOn) = (Gate(), Gate())
        let hasEnded = Notes<Bool>()
        let waiting = withIdentity(ada) { IdentitySnapshot.capture() }
        let task = withIdentity(ada) {
            Task.propagatingIdentity.detached {
                began.open()
                await goOn.wait()
                hasEnded.add(true)
            }
        }
        await began.wait()
        IdentityRevocation.revoke(ada, for: .signedOut)
        let short = await IdentityRevocation.drain(ada, timeout: .milliseconds(2))
        #expect(short.running == 1)
        #expect(!short.isDrained)
        #expect(short.description.contains("1 running"))
        // Nothing waits any more; later only the remaining one does.
        #expect(!ada.spelling.record.tally.isWaitedFor)
        let (long, cancelled) = (Self.waiter(for: ada), Self.waiter(for: ada))
        await eventually { IdleWait.waiterCount(for: ada.spelling.record) == 2 }
        cancelled.cancel()
        #expect(await cancelled.value.running == 1)
        #expect(ada.spelling.record.tally.isWaitedFor)
        goOn.open()
        let left = await long.value
        #expect(left.isDrained)
        #expect(hasEnded.all == [true])
        #expect(left.captured >= 1)
        #expect(!ada.spelling.record.tally.isWaitedFor)
        await task.value
        waiting.restore { #expect(Identity.current == .nobody) }
    }

    private static func waiter(for identity: Identity) -> Task<WorkInFlight, Never> {
        Task { await IdentityRevocation.drain(identity, timeout: .seconds(60)) }
    }

    @Test("excludes the caller's own scopes, and returns at once if the task is cancelled", .rule("10.6"))
    func own() async throws {
        let bob = try Revocation.newIdentity("bob")
        await withIdentity(ada) {
            await withIdentity(bob) {
                await withIdentity(ada) {
                    #expect(await IdentityRevocation.drain(ada, timeout: .seconds(60)).isDrained)
                    let others = Task { await IdentityRevocation.drain(ada, timeout: .seconds(600)) }
                    others.cancel()
                    #expect(await others.value.running == 2)
                }
            }
        }
        #expect(IdentityRevocation.workInFlight(of: ada).running == 0)
    }

    @Test("also excludes the caller's own scopes in a scope of nobody or nothing", arguments: [nil, Identity.nobody])
    func ownBehindNobody(_ nobody: Identity?) async throws {
        let captured = withIdentity(nobody) { IdentitySnapshot.capture() }
        await withIdentity(ada) {
            await withIdentity(nobody) {
                #expect(await IdentityRevocation.drain(ada, timeout: .zero).isDrained)
                await withIdentity(ada) {
                    #expect(await IdentityRevocation.drain(ada, timeout: .zero).isDrained)
                }
                #expect(IdentitySnapshot.capture().contents?.standing.isUnknown ?? true)
                await Task {
                    #expect(Identity.current == nobody)
                    #expect(await IdentityRevocation.drain(ada, timeout: .zero).running == 1)
                }.value
            }
            await captured.restore { () async -> Void in
                #expect(Identity.current == nobody)
                #expect(await IdentityRevocation.drain(ada, timeout: .zero).isDrained)
            }
        }
        #expect(IdentityRevocation.workInFlight(of: ada).running == 0)
    }

    @Test("lets no work begin unnoticed", .rule("10.6"), arguments: 0..<4)
    func race(_ round: Int) async throws {
        for _ in 0..<20 {
            let isDrained = Notes<Void>()
            let late = Notes<Identity?>()
            let snapshot = withIdentity(ada) { IdentitySnapshot.capture() }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<50 {
                            snapshot.restore {
                                guard Identity.current == ada else { return }
                                // It began before the revocation, and so before the drain is over.
                                if !isDrained.all.isEmpty { late.add(Identity.current) }
                            }
                        }
                    }
                }
                group.addTask {
                    IdentityRevocation.revoke(ada, for: .signedOut)
                    if await IdentityRevocation.drain(ada, timeout: .seconds(20)).isDrained { isDrained.add(()) }
                }
            }
            #expect(late.all.isEmpty)
            try #require(!isDrained.all.isEmpty)
            IdentityRevocation.readmit(ada)
        }
    }
}
