import Dispatch

/// A crossing that the language propagates over; the parent is checked when it resumes.
struct LanguageShape: Shape {
    private let visit: @Sendable (Hop) async -> Void
    private let executor: Serially?

    private init(on executor: Serially? = nil, _ visit: @escaping @Sendable (Hop) async -> Void) {
        self.executor = executor
        self.visit = visit
    }

    /// The shapes by the name of the catalogue's row.
    static let all: [String: any Shape] = [
        "a task group's child": LanguageShape { hop in
            await withDiscardingTaskGroup { group in
                group.addTask { hop.run() }
                group.addTask { hop.check(hop.request.expected, .secondPart, isOnMain: false) }
            }
        },
        // Both run on one queue. In parallel, Swift before 6.4 may read the child's memory after the parent has freed it
        // (Docs/Decisions/0016).
        "async let": LanguageShape(on: Serially()) { hop in
            async let end: Void = hop.run()
            await end
        },
        "a call on an actor": LanguageShape { await Visited.shared.visit($0) },
        "a call on the main actor": LanguageShape { hop in await MainActor.run { hop.run(isOnMain: true) } },
    ]

    func handOver(_ hop: Hop, _ way: Way) {
        hop.request.enter()
        Task(executorPreference: executor) {
            await visit(hop)
            hop.check(hop.request.expected, .worker, isOnMain: false)
            hop.request.leave()
        }
    }

    /// Waits only for queues of later lanes, whose work never waits for an actor.
    private actor Visited {
        static let shared = Visited()

        func visit(_ hop: Hop) { hop.run() }
    }
}

/// Runs a task and its children in sequence.
private final class Serially: TaskExecutor {
    private let queue = DispatchQueue(label: "stress.async-let")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
