import Dispatch
import MultiIdentity

extension CataloguedBoundary {
    /// Work that the language carries, and the detached task, which it does not.
    static let tasks: [CataloguedBoundary] = [
        language("Task { }", .created, .atOnce) { crossing in
            crossing.at(.created) { _ = Task { crossing.work() } }
        },
        language("Task.immediate { }", .created, .atOnce) { crossing in
            // Not by `Task.yield()`: if the pool is quick, the task continues here without suspending.
            let executor = QueueExecutor(crossing.queue)
            crossing.at(.created) {
                _ = Task.immediate {
                    crossing.part(1, of: 2)()
                    await withTaskExecutorPreference(executor) { crossing.part(2, of: 2)() }
                }
            }
        },
        language("Task.immediate { }, at once", .created, on: .caller, [.atOnce, .variant]) { crossing in
            crossing.at(.created) { _ = Task.immediate { crossing.work() } }
        },
        language("async let", .created, .atOnce) { crossing in
            // On one queue: Swift before 6.4 reads a child's memory after its parent may have freed it (Decisions/0016).
            let executor = QueueExecutor(crossing.queue)
            crossing.at(.created) {
                _ = Task(executorPreference: executor) {
                    async let done: Void = crossing.work()
                    await done
                }
            }
        },
        language("a task group's child", .created, .atOnce) { crossing in
            crossing.at(.created) {
                _ = Task { await withTaskGroup(of: Void.self) { $0.addTask { crossing.work() } } }
            }
        },
        detached("Task.detached { }") { crossing in { crossing.work() } }.taking(#"Task\.(detached|runDetached)\(.*"#)
            .costing("task-detached"),
        detached("Task.detached { }, with a priority", priority: .utility, .variant) { crossing in { crossing.work() }
        },
        detached("Task.detached { }, that waits", .variant) { crossing in
            {
                await Task.yield()
                crossing.work()
            }
        },
        detached("Task.detached { }, on main", .variant) { crossing in { @MainActor in crossing.work() } },
        CataloguedBoundary(
            "Task.detached { }, that throws",
            .tasks,
            captured: .created,
            on: .elsewhere,
            as: "Task.propagatingIdentity.detached { }",
            [.variant, .atOnce]
        ) { crossing in
            let throwing: @Sendable @concurrent () async throws -> Void = {
                await Task.yield()
                crossing.work()
                throw CancellationError()
            }
            _ =
                crossing.carries
                ? Task.propagatingIdentity.detached(operation: throwing) : Task.detached(operation: throwing)
        },
        immediateDetached("Task.immediateDetached { }").taking(#"Task\.immediateDetached\(.*"#),
        immediateDetached("Task.immediateDetached { }, that throws", throwing: true, .variant),
        language("a call on an actor", .called) { crossing in
            let worker = Visited()
            crossing.at(.called) { _ = Task { await worker.run(crossing.work) } }
        },
        language("a call on an actor with its own executor", .called) { crossing in
            let worker = VisitedOnQueue()
            crossing.at(.called) { _ = Task { await worker.run(crossing.work) } }
        },
        language("a call on the main actor", .called) { crossing in
            crossing.at(.called) { _ = Task { @MainActor in crossing.work() } }
        },
        language("a task on an executor that it prefers", .created, .atOnce) { crossing in
            let executor = QueueExecutor(crossing.queue)
            crossing.at(.created) { _ = Task(executorPreference: executor) { crossing.work() } }
        },
        language("code after a continuation", .awaited) { crossing in
            let hold = Locked<CheckedContinuation<Void, Never>?>(nil)
            crossing.at(.awaited) {
                // At once on this thread, up to where it waits.
                _ = Task.immediate {
                    await withCheckedContinuation { continuation in hold.withLock { $0 = continuation } }
                    crossing.work()
                }
            }
            crossing.then(.resumed) { hold.withLock { $0 }?.resume() }
        },
    ]

    private static func language(
        _ name: String,
        _ captured: Moment,
        on worker: Worker = .elsewhere,
        _ traits: Traits = [],
        way: @escaping Way
    ) -> CataloguedBoundary {
        CataloguedBoundary(name, .tasks, captured: captured, on: worker, as: nil, traits, cross: way)
    }

    private static func detached(
        _ name: String,
        priority: TaskPriority? = nil,
        _ traits: Traits = [],
        _ operation: @escaping @Sendable (any BoundaryCrossing) -> @isolated(any) @Sendable () async -> Void
    ) -> CataloguedBoundary {
        let (spelling, traits) = ("Task.propagatingIdentity.detached { }", traits.union(.atOnce))
        return CataloguedBoundary(name, .tasks, captured: .created, on: .elsewhere, as: spelling, traits) { crossing in
            let operation = operation(crossing)
            crossing.at(.created) {
                _ =
                    crossing.carries
                    ? Task.propagatingIdentity.detached(priority: priority, operation: operation)
                    : Task.detached(priority: priority, operation: operation)
            }
        }
    }

    private static func immediateDetached(
        _ name: String,
        throwing: Bool = false,
        _ traits: Traits = []
    ) -> CataloguedBoundary {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else {
            return CataloguedBoundary(name, .tasks, missing: "this system's runtime has no such tasks")
        }
        let (spelling, traits) = ("Task.propagatingIdentity.immediateDetached { }", traits.union(.atOnce))
        return CataloguedBoundary(name, .tasks, captured: .created, on: .caller, as: spelling, traits) { crossing in
            let work = crossing.work
            let plain: @isolated(any) @Sendable () async -> Void = { work() }
            let thrower: @isolated(any) @Sendable () async throws -> Void = {
                work()
                throw CancellationError()
            }
            crossing.at(.created) {
                switch (crossing.carries, throwing) {
                case (true, false): _ = Task.propagatingIdentity.immediateDetached(operation: plain)
                case (true, true): _ = Task.propagatingIdentity.immediateDetached(operation: thrower)
                case (false, false): _ = Task.immediateDetached(operation: plain)
                case (false, true): _ = Task.immediateDetached(operation: thrower)
                }
            }
        }
    }
}

private actor Visited {
    func run(_ work: @Sendable () -> Void) { work() }
}

private actor VisitedOnQueue {
    private let executor = QueueExecutor(DispatchQueue(label: "identity-doctor.actor"))

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run(_ work: @Sendable () -> Void) { work() }
}

/// Runs jobs on a queue, for an actor or for tasks that prefer it.
private final class QueueExecutor: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
}
