import MultiIdentity

extension CataloguedBoundary {
    /// Code that runs when something is asked, ends or changes: a sequence, a task, a stream, an object.
    static let setOff: [CataloguedBoundary] = [
        task("withTaskCancellationHandler, onCancel", as: "Task.propagatingIdentity.withCancellationHandler") {
            crossing in
            let (hold, work) = (Hold(on: crossing), crossing.work)
            let task = crossing.at(.registered) {
                Task.immediate {
                    if crossing.carries {
                        await Task<Never, Never>.propagatingIdentity.withCancellationHandler(
                            operation: { await hold.wait() },
                            onCancel: work
                        )
                    } else {
                        await withTaskCancellationHandler(operation: { await hold.wait() }, onCancel: work)
                    }
                }
            }
            crossing.then(.cancelled) { task.cancel() }
        }.taking(#"(Task\.with|withTask)CancellationHandler\(.*"#).costing("cancellation-handler"),
        escalation,
        task("AsyncStream, onTermination", .set, as: "continuation.propagatingIdentity.onTermination") { crossing in
            let ((stream, continuation), work) = (AsyncStream<Int>.makeStream(), crossing.work)
            crossing.at(.set) {
                if crossing.carries {
                    continuation.propagatingIdentity.onTermination = { _ in work() }
                } else {
                    continuation.onTermination = { _ in work() }
                }
            }
            crossing.then(.finished) { withExtendedLifetime(stream) { continuation.finish() } }
        }.taking(#"Async(Throwing)?Stream\.Continuation\.onTermination"#).costing("stream-termination"),
        task(
            "AsyncThrowingStream, onTermination",
            .set,
            as: "continuation.propagatingIdentity.onTermination",
            .variant
        ) { crossing in
            let ((stream, continuation), work) = (AsyncThrowingStream<Int, any Error>.makeStream(), crossing.work)
            crossing.at(.set) {
                if crossing.carries {
                    continuation.propagatingIdentity.onTermination = { _ in work() }
                } else {
                    continuation.onTermination = { _ in work() }
                }
            }
            crossing.then(.finished) {
                withExtendedLifetime(stream) { continuation.finish(throwing: CancellationError()) }
            }
        },
        task("AsyncSequence, its next()", .created, as: "sequence.propagatingIdentity", on: .elsewhere) { crossing in
            let work = crossing.work
            let iterate = crossing.at(.created) { () -> @Sendable () async -> Void in
                let elements = AsyncStream<Never> {
                    work()
                    return nil
                }
                guard crossing.carries else { return { for await _ in elements {} } }
                let carrying = elements.propagatingIdentity
                return { for await _ in carrying {} }
            }
            crossing.then(.iterated) { _ = Task { await iterate() } }
        }.taking(#"Async(Throwing)?Stream\.init\(unfolding:.*"#),
        ending("deinit") { Ending($0) },
        isolatedEnding,
    ]

    /// Missing where the runtime frees what it does not own, if anything is bound.
    private static var isolatedEnding: CataloguedBoundary {
        let name = "isolated deinit"
        guard ConcurrencyRuntime.here.sparesBindings else {
            return CataloguedBoundary(name, .tasks, missing: "this runtime corrupts memory in one")
        }
        return ending(name) { IsolatedEnding($0) }
    }

    private static var escalation: CataloguedBoundary {
        let name = "withTaskPriorityEscalationHandler"
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
            return CataloguedBoundary(name, .tasks, missing: "this system's runtime has no such handlers")
        }
        return task(name, as: "Task.propagatingIdentity.withPriorityEscalationHandler") { crossing in
            let (hold, work) = (Hold(on: crossing), crossing.work)
            let task = crossing.at(.registered) {
                Task.immediate(priority: .low) {
                    if crossing.carries {
                        await Task<Never, Never>.propagatingIdentity.withPriorityEscalationHandler(
                            operation: { await hold.wait() },
                            onPriorityEscalated: { _, _ in work() }
                        )
                    } else {
                        await withTaskPriorityEscalationHandler {
                            await hold.wait()
                        } onPriorityEscalated: { _, _ in
                            work()
                        }
                    }
                }
            }
            crossing.then(.escalated) { task.escalatePriority(to: .high) }
        }.taking(#"withTaskPriorityEscalationHandler\(.*"#)
    }

    static func task(
        _ name: String,
        _ captured: Moment = .registered,
        as spelling: String,
        on worker: Worker = .caller,
        _ traits: Traits = [],
        cross: @escaping Way
    ) -> CataloguedBoundary {
        CataloguedBoundary(name, .tasks, captured: captured, on: worker, as: spelling, traits, cross: cross)
    }

    private static func ending<Object: AnyObject>(
        _ name: String,
        _ make: @escaping @Sendable (any BoundaryCrossing) -> Object
    ) -> CataloguedBoundary {
        task(name, .created, as: "snapshot.restore { }") { crossing in
            let object = Slot(crossing.at(.created) { make(crossing) })
            crossing.then(.released) { _ = object.take() }
        }
    }
}

/// Keeps a task waiting until the crossing has ended.
private final class Hold: Sendable {
    private let (gate, opener) = AsyncStream<Void>.makeStream()

    init(on crossing: any BoundaryCrossing) {
        crossing.afterwards { [opener] in opener.finish() }
    }

    func wait() async {
        // In a separate task: the one that waits is cancelled, which would end its stream.
        let gate = gate
        await Task { for await _ in gate {} }.value
    }
}

private final class Ending {
    private let work: @Sendable () -> Void
    private let snapshot: IdentitySnapshot?

    init(_ crossing: any BoundaryCrossing) {
        work = crossing.work
        snapshot = crossing.carries ? .capture() : nil
    }

    deinit { if let snapshot { snapshot.restore(work) } else { work() } }
}

private actor IsolatedEnding {
    private let work: @Sendable () -> Void
    private let snapshot: IdentitySnapshot?

    init(_ crossing: any BoundaryCrossing) {
        work = crossing.work
        snapshot = crossing.carries ? .capture() : nil
    }

    isolated deinit { if let snapshot { snapshot.restore(work) } else { work() } }
}
