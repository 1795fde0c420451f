import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A cancellation handler that carries") struct CancellationHandlerTests {
    /// The place from which a task is cancelled: how the thread level is stored differs there.
    enum Canceller: Sendable, CaseIterable {
        case thread, otherTask, itself, parent
    }

    private enum Refused: Error, Equatable { case because(Int) }

    private final class Draft {
        var text = "draft"
    }

    static let owners: [Identity?] = [Users.ada, .nobody, nil]
    static let others: [Identity?] = [Users.grace, .nobody, nil]

    @Test("runs as its owner, whichever identity cancels", .rule("4.5"), arguments: owners, Canceller.allCases)
    func owner(_ owner: Identity?, _ canceller: Canceller) async {
        for other in Self.others {
            let seen = Notes<Identity?>()
            await cancel(as: other, by: canceller, inTaskOf: owner) { operation, hasRun in
                await Task.propagatingIdentity.withCancellationHandler(operation: operation) {
                    seen.add(.current)
                    seen.add(ThreadMirror.current().identity)
                    seen.add(IdentitySnapshot.bound.get().identity)
                    hasRun.open()
                }
            }
            #expect(seen.all == [owner, owner, owner])
        }
    }

    /// Cancels, as `other`, a task of `owner` that has registered a handler, and expects that the canceller is as
    /// before.
    private func cancel(
        as other: Identity?,
        by canceller: Canceller,
        inTaskOf owner: Identity?,
        registering register: @escaping @Sendable (@escaping @Sendable () async -> Void, Gate) async -> Void
    ) async {
        let (isRegistered, hasRun) = (Gate(), Gate())
        @Sendable func asOther(_ cancel: @Sendable () -> Void) {
            withIdentity(other) {
                cancel()
                #expect(Identity.current == other)
                #expect(IdentitySnapshot.bound.get().identity == other)
            }
        }
        let work: @Sendable () async -> Void = {
            await register(
                {
                    if canceller == .itself { asOther { withUnsafeCurrentTask { $0?.cancel() } } }
                    #expect(Identity.current == owner)
                    isRegistered.open()
                    await hasRun.wait()
                },
                hasRun
            )
        }
        let task = withIdentity(owner) {
            Task {
                guard canceller == .parent else { return await work() }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await work() }
                    await isRegistered.wait()
                    withIdentity(other) { group.cancelAll() }
                }
            }
        }
        await isRegistered.wait()
        switch canceller {
        case .thread: await onNewThread { asOther { task.cancel() } }
        case .otherTask: asOther { task.cancel() }
        case .itself, .parent: break
        }
        await task.value
    }

    @Test("runs at once where the task is cancelled already, and not after its operation", .rule("4.5"))
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
        "gives back what its operation returns, throws its typed errors, and needs nothing to be Sendable",
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

    @Test("stays on its caller's actor, and adds no suspension point", .rule("4.7"))
    @MainActor
    func isolation() async {
        var steps: [String] = []
        let other = Task { @MainActor in steps.append("other") }
        steps.append("before")
        await withIdentity(ada) {
            await Task.propagatingIdentity.withCancellationHandler {
                MainActor.assertIsolated()
                steps.append("inside")
            } onCancel: {
            }
        }
        steps.append("after")
        await other.value
        #expect(steps == ["before", "inside", "after", "other"])
    }

    @Test(
        "lets go of what it captured when its operation has ended, cancelled or not",
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
