import Dispatch
import Testing

@testable import MultiIdentity

/// `TriggerTests` covers which identity cancels, and from where.
@Suite("A cancellation handler that carries identity") struct CancellationHandlerTests {
    private enum Refused: Error, Equatable { case because(Int) }

    private final class Draft {
        var text = "draft"
    }

    @Test(
        "runs as its owner, whichever identity cancels its task's group",
        .rule("4.5"),
        arguments: [Users.grace, nil]
    )
    func cancelledWithItsGroup(_ other: Identity?) async {
        let (isRegistered, hasRun, seen) = (Gate(), Gate(), Notes<Identity?>())
        await withTaskGroup(of: Void.self) { group in
            withIdentity(ada) {
                group.addTask {
                    await Task.propagatingIdentity.withCancellationHandler {
                        isRegistered.open()
                        await hasRun.wait()
                    } onCancel: {
                        seen.add(.current)
                        seen.add(IdentitySnapshot.bound.get().identity)
                        hasRun.open()
                    }
                }
            }
            await isRegistered.wait()
            withIdentity(other) {
                group.cancelAll()
                #expect(Identity.current == other)
            }
        }
        #expect(seen.all == [ada, ada])
    }

    @Test("runs at once if the task is already cancelled, and never after its operation", .rule("4.5"))
    func once() async {
        let seen = Notes<String>()
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await withIdentity(ada) {
                await Task.propagatingIdentity.withCancellationHandler {
                    seen.add("operation")
                } onCancel: {
                    seen.add("cancelled as \(Identity.current?.name ?? "no one")")
                }
            }
        }.value
        await Task {
            await Task.propagatingIdentity.withCancellationHandler {
                seen.add("operation")
            } onCancel: {
                seen.add("too late")
            }
            withUnsafeCurrentTask { $0?.cancel() }
        }.value
        #expect(seen.all == ["cancelled as ada@contoso.com", "operation", "operation"])
    }

    @Test(
        "returns its operation's result, throws its typed errors, and requires no Sendable",
        .rule("4.7")
    )
    func results() async {
        let draft = Draft()
        let same = await Task.propagatingIdentity.withCancellationHandler {
            await Task.yield()
            draft.text += "!"
            return draft
        } onCancel: {
        }
        #expect(same === draft && draft.text == "draft!")
        do throws(Refused) {
            try await Task.propagatingIdentity.withCancellationHandler { () async throws(Refused) in
                await Task.yield()
                throw .because(3)
            } onCancel: {
            }
        } catch {
            #expect(error == .because(3))
        }
        await #expect(throws: CancellationError.self) {
            try await Task.propagatingIdentity.withCancellationHandler {
                try await Task.sleep(for: .zero)
                throw CancellationError()
            } onCancel: {
            }
        }
    }

    @Test(
        "is released with its captures when its operation has ended, cancelled or not",
        .rule("6.2"),
        arguments: [true, false]
    )
    func released(_ isCancelled: Bool) async {
        let (callerHasLetGo, caller) = AsyncStream.makeStream(of: Void.self)
        let outcome = await Farewell.outcome { farewell in
            let luggage = Locked<Farewell?>(farewell)
            Task {
                for await _ in callerHasLetGo {}
                await withIdentity(ada) {
                    await Self.register(cancelled: isCancelled, luggage)
                }
            }
        } thenLetGoAnd: {
            caller.finish()
        }
        #expect(outcome == .released(whileBound: ada))
    }

    private static func register(cancelled: Bool, _ luggage: Locked<Farewell?>) async {
        guard
            let farewell = luggage.withLock({ luggage in
                defer { luggage = nil }
                return luggage
            })
        else { return }
        await Task.propagatingIdentity.withCancellationHandler {
            if cancelled { withUnsafeCurrentTask { $0?.cancel() } }
        } onCancel: {
            withExtendedLifetime(farewell) {}
        }
    }
}
