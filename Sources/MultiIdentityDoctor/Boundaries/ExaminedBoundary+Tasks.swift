import Dispatch
import MultiIdentity

extension ExaminedBoundary {
    /// What the language carries, and the detached task, which it does not.
    static let tasks: [ExaminedBoundary] = [
        language("Task { }", .created) { crossing in crossing.at(.created) { _ = Task { crossing.work() } } },
        language("Task.immediate { }", .created) { crossing in
            crossing.expect(2)
            crossing.at(.created) {
                _ = Task.immediate {
                    crossing.work()
                    await Task.yield()
                    crossing.work()
                }
            }
        },
        language("async let", .created) { crossing in
            // On one queue: Swift before 6.4 reads a child's memory after its parent may have freed it (Decisions/0016).
            let executor = QueueExecutor(crossing.queue)
            crossing.at(.created) {
                _ = Task(executorPreference: executor) {
                    async let done: Void = crossing.work()
                    await done
                }
            }
        },
        language("a task group's child", .created) { crossing in
            crossing.at(.created) {
                _ = Task { await withTaskGroup(of: Void.self) { $0.addTask { crossing.work() } } }
            }
        },
        ExaminedBoundary(
            "Task.detached { }",
            .tasks,
            captured: .created,
            as: "Task.propagatingIdentity.detached { }"
        ) { crossing in
            crossing.at(.created) { _ = Task.detached { crossing.work() } }
        } carried: { crossing in
            crossing.at(.created) { _ = Task.propagatingIdentity.detached { crossing.work() } }
        },
        language("a call on an actor", .called) { crossing in
            let worker = Worker()
            crossing.at(.called) { _ = Task { await worker.run(crossing.work) } }
        },
        language("a call on an actor with its own executor", .called) { crossing in
            let worker = WorkerOnQueue()
            crossing.at(.called) { _ = Task { await worker.run(crossing.work) } }
        },
        language("a call on the main actor", .called) { crossing in
            crossing.at(.called) { _ = Task { @MainActor in crossing.work() } }
        },
        language("a task on an executor that it prefers", .created) { crossing in
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
            crossing.at(.resumed) { hold.withLock { $0 }?.resume() }
        },
    ]

    private static func language(_ name: String, _ captured: Moment, way: @escaping Way) -> ExaminedBoundary {
        ExaminedBoundary(name, .tasks, captured: captured, plain: way)
    }
}

private actor Worker {
    func run(_ work: @Sendable () -> Void) { work() }
}

private actor WorkerOnQueue {
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
