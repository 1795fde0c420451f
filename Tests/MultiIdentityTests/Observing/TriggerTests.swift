import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A handler runs as its owner, and knows its trigger", .rule("4.10")) struct TriggerTests {
    /// A handler's observations: whether it knows its trigger, who that is, and the identity that it runs as.
    private struct Found: Sendable, Equatable {
        let isKnown: Bool
        let trigger: Identity?
        let runsAs: Identity?

        init() {
            let found = IdentityTrigger.current
            (isKnown, trigger) = (found != nil, found?.identity)
            runsAs = Identity.current
        }

        init(trigger: Identity?, runsAs: Identity?) { (isKnown, self.trigger, self.runsAs) = (true, trigger, runsAs) }

        static func unknown(runsAs: Identity?) -> Found { Found(runsAs) }

        private init(_ runsAs: Identity?) { (isKnown, trigger, self.runsAs) = (false, nil, runsAs) }
    }

    static let choices: [HandlerIdentity] = [.owner, .trigger]
    static let triggers: [Identity?] = [Users.grace, .nobody, nil]

    private func expected(_ trigger: Identity?, _ choice: HandlerIdentity) -> Found {
        Found(trigger: trigger, runsAs: choice == .owner ? ada : trigger)
    }

    // MARK: Cancelled

    /// Runs `use` with a task of ada's that has registered a handler, and returns the handler's observations.
    private func foundInHandler(
        _ choice: HandlerIdentity,
        _ use: @escaping @Sendable (Task<Void, Never>) async -> Void,
        meanwhile: @escaping @Sendable () -> Void = {}
    ) async -> [Found] {
        let (found, hasRun) = (Notes<Found>(), Gate())
        let task = withIdentity(ada) {
            Task.immediate {
                await Task.propagatingIdentity.withCancellationHandler(runningAs: choice) {
                    meanwhile()
                    await hasRun.wait()
                } onCancel: {
                    found.add(Found())
                    hasRun.open()
                }
            }
        }
        await use(task)
        await task.value
        return found.all
    }

    @Test("the identity that cancels, from a thread or a task", arguments: choices, triggers)
    func cancelled(_ choice: HandlerIdentity, _ trigger: Identity?) async {
        let fromThread = await foundInHandler(choice) { task in
            await onNewThread { withIdentity(trigger) { task.cancel() } }
        }
        let fromTask = await foundInHandler(choice) { task in withIdentity(trigger) { task.cancel() } }
        let byItself = await foundInHandler(choice) { _ in
        } meanwhile: {
            withIdentity(trigger) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        for found in [fromThread, fromTask, byItself] { #expect(found == [expected(trigger, choice)]) }
    }

    @Test("unknown if a task was already cancelled; a handler as its trigger then has only its owner's levels")
    func cancelledAlready() async {
        let (found, levels) = (Notes<Found>(), IdentityLevels())
        for choice in Self.choices {
            await Task {
                withIdentity(grace) { withUnsafeCurrentTask { $0?.cancel() } }
                await withIdentityLevels(levels) { () async in
                    await withIdentity(ada) {
                        await Task.propagatingIdentity.withCancellationHandler(runningAs: choice) {
                        } onCancel: {
                            found.add(Found())
                            #expect(IdentityLevels.current === levels)
                        }
                    }
                }
            }.value
        }
        #expect(found.all == [.unknown(runsAs: ada), .unknown(runsAs: nil)])
    }

    // MARK: Streams

    @Test("the identity that finishes, drops or fails a stream", arguments: choices, triggers)
    func stream(_ choice: HandlerIdentity, _ trigger: Identity?) {
        let found = Notes<Found>()
        let stored = Locked<AsyncStream<Int>?>(nil)
        func make() -> AsyncStream<Int>.Continuation {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            stored.withLock { $0 = stream }
            withIdentity(ada) {
                continuation.propagatingIdentity.onTermination(runningAs: choice) { _ in found.add(Found()) }
            }
            return continuation
        }
        func drop() { _ = stored.take() }
        let continuation = make()
        withIdentity(trigger) { continuation.finish() }
        drop()
        _ = make()
        withIdentity(trigger) { drop() }
        let (failing, failer) = AsyncThrowingStream<Int, any Error>.makeStream()
        withIdentity(ada) {
            failer.propagatingIdentity.onTermination(runningAs: choice) { _ in found.add(Found()) }
        }
        withIdentity(trigger) { failer.finish(throwing: CancellationError()) }
        withExtendedLifetime(failing) {}
        #expect(found.all == Array(repeating: expected(trigger, choice), count: 3))
    }

    @Test("the identity that cancels the task that waits for a stream, unless already cancelled", arguments: choices)
    func cancelledStream(_ choice: HandlerIdentity) async {
        let found = Notes<Found>()
        func make() -> AsyncStream<Int> {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            withIdentity(ada) {
                continuation.propagatingIdentity.onTermination(runningAs: choice) { _ in found.add(Found()) }
            }
            return stream
        }
        let waiting = make()
        let consumer = Task.immediate { for await _ in waiting {} }
        withIdentity(grace) { consumer.cancel() }
        await consumer.value
        #expect(found.all == [expected(grace, choice)])
        let late = make()
        await Task {
            withIdentity(grace) { withUnsafeCurrentTask { $0?.cancel() } }
            for await _ in late {}
        }.value
        #expect(found.all.dropFirst() == [.unknown(runsAs: choice == .owner ? ada : nil)])
    }

    // MARK: Sources

    /// Returns the observations of ada's cancel handler, for a source that `cancel` cancels.
    private func foundInCancelHandler(
        _ choice: HandlerIdentity,
        _ cancel: @Sendable (Carried<any DispatchSourceUserDataAdd>) -> Void
    ) async -> Found {
        let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "cancelled"))
        let found = Locked<Found?>(nil)
        await withCheckedContinuation { continuation in
            withIdentity(ada) {
                source.propagatingIdentity.setCancelHandler(runningAs: choice) {
                    let here = Found()
                    found.withLock { $0 = here }
                    continuation.resume()
                }
            }
            source.activate()
            cancel(Carried(source))
        }
        return found.withLock { $0 } ?? .unknown(runsAs: nil)
    }

    @Test("the identity that first cancels a source's view; unknown after a plain cancel", arguments: choices, triggers)
    func source(_ choice: HandlerIdentity, _ trigger: Identity?) async {
        let byView = await foundInCancelHandler(choice) { source in
            source.value.suspend()
            withIdentity(trigger) { source.value.propagatingIdentity.cancel() }
            withIdentity(ada) { source.value.propagatingIdentity.cancel() }
            source.value.resume()
        }
        #expect(byView == expected(trigger, choice))
        let plain = await foundInCancelHandler(choice) { source in
            source.value.suspend()
            withIdentity(trigger) { source.value.cancel() }
            withIdentity(ada) { source.value.propagatingIdentity.cancel() }
            source.value.resume()
        }
        #expect(plain == .unknown(runsAs: choice == .owner ? ada : nil))
    }

    @Test("the last handler set is notified, and a source without one can still be cancelled")
    func replacedHandler() async {
        let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "replaced"))
        let carrying = source.propagatingIdentity
        let found: Found = await withCheckedContinuation { continuation in
            withIdentity(grace) {
                carrying.setCancelHandler { continuation.resume(returning: Found.unknown(runsAs: nil)) }
            }
            withIdentity(ada) { carrying.setCancelHandler { continuation.resume(returning: Found()) } }
            source.activate()
            withIdentity(grace) { carrying.cancel() }
        }
        #expect(found == Found(trigger: grace, runsAs: ada))
        let bare = DispatchSource.makeUserDataAddSource()
        bare.propagatingIdentity.setCancelHandler {}
        bare.propagatingIdentity.setCancelHandler(handler: nil)
        bare.activate()
        bare.propagatingIdentity.cancel()
        #expect(bare.isCancelled)
    }

    // MARK: The trigger's reach

    @Test("only the handler has it: tasks that it starts and its scopes have none, and run as its owner or theirs")
    func travelsNowhere() async {
        let (queue, started) = (DispatchQueue(label: "started"), Notes<[Found]>())
        let (inner, tasks) = withIdentity(grace) {
            let captured = withIdentity(ada) { BoundaryCapture(at: .cancellationHandler) }
            var inner: [Found] = []
            var tasks: [Task<Found, Never>] = []
            captured.restore(triggeredBy: .ofTrigger) {
                inner = [Found(), withIdentity(.nobody) { Found() }]
                tasks = [
                    Task { Found() }, Task.immediate { Found() }, Task.propagatingIdentity.detached { Found() },
                ]
                queue.propagatingIdentity.async { started.add([Found()]) }
                captured.restore(triggeredBy: nil) { inner.append(Found()) }
                inner.append(Found())
            }
            return (inner + [Found()], tasks)
        }
        #expect(
            inner == [
                Found(trigger: grace, runsAs: ada), .unknown(runsAs: .nobody), .unknown(runsAs: ada),
                Found(trigger: grace, runsAs: ada), .unknown(runsAs: grace),
            ]
        )
        for task in tasks { #expect(await task.value == .unknown(runsAs: ada)) }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(started.all == [[.unknown(runsAs: ada)]])
    }

    private static let handOvers: [String: @Sendable (@escaping @Sendable () -> Void) -> (() -> Void)] = [
        "item": { DispatchWorkItem.propagatingIdentity(block: $0).perform },
        "closure": { IdentitySnapshot.capture().wrap($0) },
        "snapshot": { work in { [snapshot = IdentitySnapshot.capture()] in snapshot.restore { work() } } },
        "box": { work in
            let box = WorkBox(work, BoundaryCapture(at: .async)).givenUp()
            return { WorkBox.runGivenUp(box) }
        },
        "sync": { work in { IdentityQueue(label: "in a handler").sync(execute: work) } },
        "iterations": { work in { IdentityQueue.concurrentPerform(iterations: 1) { _ in work() } } },
    ]

    @Test(
        "other work that runs on the handler's thread in the meantime does not see it, whoever handed that over",
        arguments: handOvers.keys.sorted(),
        [Users.ada, Users.grace, nil]
    )
    func others(_ name: String, _ other: Identity?) async throws {
        let make = try #require(Self.handOvers[name])
        let found = Notes<Found>()
        @Sendable func handle() {
            let captured = withIdentity(ada) { BoundaryCapture(at: .cancellationHandler) }
            let before = withIdentity(other) { make { found.add(Found()) } }
            captured.restore(triggeredBy: IdentitySnapshot(of: grace)) {
                before()
                withIdentity(other) { make { found.add(Found()) } }()
                make { found.add(Found()) }()
                found.add(Found())
            }
        }
        await onNewThread { handle() }
        await Task { handle() }.value
        let here = name == "sync" || name == "iterations" ? ada : other
        let inHandler = [Found.unknown(runsAs: here), .unknown(runsAs: here), .unknown(runsAs: ada)]
        let once = inHandler + [Found(trigger: grace, runsAs: ada)]
        #expect(found.all == once + once)
    }

    @Test("there is none outside handlers, and a group's notification does not know its own") func none() async {
        #expect(IdentityTrigger.current == nil)
        let group = DispatchGroup()
        group.enter()
        let found = await withCheckedContinuation { continuation in
            withIdentity(ada) {
                group.propagatingIdentity.notify(queue: .global()) { continuation.resume(returning: Found()) }
            }
            withIdentity(grace) { group.leave() }
        }
        #expect(found == .unknown(runsAs: ada))
    }
}
