@_spi(Catalogue) import MultiIdentityDoctor

extension Addition {
    /// Returns the workload's own settings for `row`.
    static func of(_ row: CataloguedBoundary) -> Addition { table[row.name] ?? Addition(ground: ground(of: row)) }

    private static func ground(of row: CataloguedBoundary) -> Ground {
        switch row.family {
        case .queues, .items, .sources: .serial
        case .operations: .operations
        case .channels, .foundation, .networking, .tasks, .closures: .given
        }
    }

    /// The settings by row name.
    static let table: [String: Addition] = [
        "queue.async, with a group": Addition(ground: .concurrent),
        "queue.async, with a QoS": Addition(
            ground: .serial,
            variants: named(
                "queue.async, with the default QoS",
                "queue.async, with the user's QoS",
                "queue.async, with the highest QoS"
            )
        ),
        "queue.async, as a barrier": Addition(ground: .concurrent),
        "queue.asyncAfter(deadline:)": Addition(ground: .serial, variants: named("queue.asyncAfter(deadline:), later")),
        "queue.asyncAfter(wallDeadline:)": Addition(
            ground: .serial,
            variants: named("queue.asyncAfter(wallDeadline:), later")
        ),
        "queue.sync, as a barrier": Addition(ground: .exclusive, variants: named("queue.sync, with no flags")),
        "queue.async, on a queue that was given": Addition(ground: .given),
        "batches.async": Addition(ground: .batched, isPastDispatch: true),
        "DispatchQueue.concurrentPerform": Addition(ground: .given, shape: ConcurrentPerform()),
        "DispatchQueue.main.async": Addition(ground: .given, variants: named("DispatchQueue.main.sync")),
        "DispatchWorkItem, dispatched": Addition(
            ground: .serial,
            variants: named("DispatchWorkItem, by a queue's async")
        ),
        "group.notify": Addition(ground: .serial, variants: named("group.notify, on a queue that carries")),
        "timer source, event": Addition(ground: .serial, variants: named("timer source, event, later")),
        "read source, event": Addition(ground: .files),
        "channel.read, at random": Addition(ground: .files),
        "channel.write, at random": Addition(ground: .files),
        "channel.barrier": Addition(ground: .files),
        "addOperations": Addition(ground: .operations, variants: named("addOperations, awaited")),
        "addBarrierBlock": Addition(ground: .wideOperations, runsInPool: true),
        // Foundation runs completion blocks on a global queue.
        "operation.completionBlock": Addition(ground: .operations, runsInPool: true),
        "BlockOperation, whoever adds it": Addition(ground: .givenOperations, isPastDispatch: true),
        "addOperation, on a queue that was given": Addition(ground: .givenOperations),
        "runLoop.perform": Addition(ground: .given, shape: RunLoopPerform()),
        "any closure": Addition(ground: .given, variants: named("any closure, called")),
        "Task.detached { }": Addition(ground: .given, variants: named("Task.detached { }, that waits")),
        "any closure, restored in a detached task": Addition(
            ground: .given,
            variants: named("any closure, restored in a detached task that waits")
        ),
        "a C callback": Addition(ground: .given, isCostly: true),
    ].merging(LanguageShape.all.mapValues { Addition(ground: .given, shape: $0) }) { own, _ in own }

    private static func named(_ names: String...) -> [CataloguedBoundary] {
        names.map { name in
            guard let variant = CataloguedBoundary.all.first(where: { $0.name == name }) else {
                preconditionFailure("The catalogue of boundaries has no \"\(name)\".")
            }
            return variant
        }
    }

    /// Variants in the catalogue that the workload treats as separate boundaries.
    static let variants: Set = [
        "batches.async", "addOperation, on a queue that was given", "any closure, restored in a detached task",
    ]

    /// Rows that the workload does not cross, with the reasons.
    static let uncrossed = Dictionary(
        uniqueKeysWithValues: CataloguedBoundary.all.compactMap { row in
            (row.exists ? row.reasonToCrossAlone : "not on this system").map { (row.name, $0) }
        }
    )
}
