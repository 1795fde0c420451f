import MultiIdentity
import Observation

extension ExaminedBoundary {
    /// Code that runs when something is asked, ends or changes: a sequence, a task, a stream, an object.
    static let handlers: [ExaminedBoundary] = [
        ExaminedBoundary(
            "withTaskCancellationHandler, onCancel",
            .tasks,
            captured: .registered,
            as: "Task.propagatingIdentity.withCancellationHandler"
        ) { crossing in
            let hold = Hold(on: crossing)
            let task = crossing.at(.registered) {
                Task.immediate {
                    await withTaskCancellationHandler {
                        await hold.wait()
                    } onCancel: {
                        crossing.work()
                    }
                }
            }
            crossing.at(.cancelled) { task.cancel() }
        } carried: { crossing in
            let hold = Hold(on: crossing)
            let task = crossing.at(.registered) {
                Task.immediate {
                    await Task<Never, Never>.propagatingIdentity.withCancellationHandler(
                        operation: { await hold.wait() },
                        onCancel: { crossing.work() }
                    )
                }
            }
            crossing.at(.cancelled) { task.cancel() }
        }.awaited,
        escalation,
        ExaminedBoundary(
            "withObservationTracking, onChange",
            .tasks,
            captured: .registered,
            as: "withIdentityObservationTracking"
        ) { crossing in
            let observed = Observed()
            crossing.at(.registered) { withObservationTracking(observed.look) { crossing.work() } }
            crossing.at(.changed) { observed.change() }
        } carried: { crossing in
            let observed = Observed()
            crossing.at(.registered) { withIdentityObservationTracking(observed.look) { crossing.work() } }
            crossing.at(.changed) { observed.change() }
        }.awaited,
        ExaminedBoundary(
            "AsyncStream, onTermination",
            .tasks,
            captured: .set,
            as: "continuation.propagatingIdentity.onTermination"
        ) { crossing in
            let (_, continuation) = AsyncStream<Int>.makeStream()
            crossing.at(.set) { continuation.onTermination = { _ in crossing.work() } }
            crossing.at(.finished) { continuation.finish() }
        } carried: { crossing in
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            crossing.at(.set) { continuation.propagatingIdentity.onTermination = { _ in crossing.work() } }
            crossing.at(.finished) { continuation.finish() }
            withExtendedLifetime(stream) {}
        }.awaited,
        ExaminedBoundary(
            "AsyncSequence, its next()",
            .tasks,
            captured: .created,
            as: "sequence.propagatingIdentity"
        ) { crossing in
            let sequence = crossing.at(.created) { elements(crossing) }
            crossing.at(.iterated) { _ = Task { for await _ in sequence {} } }
        } carried: { crossing in
            let sequence = crossing.at(.created) { elements(crossing).propagatingIdentity }
            crossing.at(.iterated) { _ = Task { for await _ in sequence {} } }
        },
        ExaminedBoundary("deinit", .tasks, captured: .created, as: "snapshot.restore { }") { crossing in
            let object = Slot(crossing.at(.created) { Ending(crossing.work) })
            crossing.at(.released) { object.empty() }
        } carried: { crossing in
            let object = Slot(crossing.at(.created) { CarryingEnding(crossing.work) })
            crossing.at(.released) { object.empty() }
        }.awaited,
        ExaminedBoundary("isolated deinit", .tasks, captured: .created, as: "snapshot.restore { }") { crossing in
            let object = Slot(crossing.at(.created) { IsolatedEnding(crossing.work) })
            crossing.at(.released) { object.empty() }
        } carried: { crossing in
            let object = Slot(crossing.at(.created) { CarryingIsolatedEnding(crossing.work) })
            crossing.at(.released) { object.empty() }
        }.awaited,
    ]

    /// A sequence that does the work and ends.
    private static func elements(_ crossing: Crossing) -> AsyncStream<Never> {
        AsyncStream {
            crossing.work()
            return nil
        }
    }
}

extension ExaminedBoundary {
    private static var escalation: ExaminedBoundary {
        let name = "withTaskPriorityEscalationHandler"
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
            return ExaminedBoundary(name, .tasks, missing: "this system's runtime has no such handlers")
        }
        return ExaminedBoundary(
            name,
            .tasks,
            captured: .registered,
            as: "Task.propagatingIdentity.withPriorityEscalationHandler"
        ) { crossing in
            let hold = Hold(on: crossing)
            let task = crossing.at(.registered) {
                Task.immediate(priority: .low) {
                    await withTaskPriorityEscalationHandler {
                        await hold.wait()
                    } onPriorityEscalated: { _, _ in
                        crossing.work()
                    }
                }
            }
            crossing.at(.escalated) { task.escalatePriority(to: .high) }
        } carried: { crossing in
            let hold = Hold(on: crossing)
            let task = crossing.at(.registered) {
                Task.immediate(priority: .low) {
                    await Task<Never, Never>.propagatingIdentity.withPriorityEscalationHandler(
                        operation: { await hold.wait() },
                        onPriorityEscalated: { _, _ in crossing.work() }
                    )
                }
            }
            crossing.at(.escalated) { task.escalatePriority(to: .high) }
        }.awaited
    }
}

/// Keeps a task waiting until the crossing has ended.
private final class Hold: Sendable {
    private let (gate, opener) = AsyncStream<Void>.makeStream()

    init(on crossing: Crossing) {
        crossing.afterwards { [opener] in opener.finish() }
    }

    func wait() async {
        // In a task of its own, since the one that waits is cancelled, which would end the stream for it.
        let gate = gate
        await Task { for await _ in gate {} }.value
    }
}

/// An object that is looked at and changed by one after another.
private final class Observed: Observable {
    private let registrar = ObservationRegistrar()
    private var value: Int { 0 }

    func look() { registrar.access(self, keyPath: \.value) }

    func change() { registrar.withMutation(of: self, keyPath: \.value) {} }
}

/// Holds the one reference to an object.
private final class Slot<Object: AnyObject> {
    private var object: Object?

    init(_ object: Object) { self.object = object }

    func empty() { object = nil }
}

private final class Ending {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    deinit { work() }
}

private final class CarryingEnding {
    private let work: @Sendable () -> Void
    private let snapshot = IdentitySnapshot.capture()

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    deinit { snapshot.restore(work) }
}

private actor IsolatedEnding {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    isolated deinit { work() }
}

private actor CarryingIsolatedEnding {
    private let work: @Sendable () -> Void
    private let snapshot = IdentitySnapshot.capture()

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    isolated deinit { snapshot.restore(work) }
}
