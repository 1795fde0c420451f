public import MultiIdentityBenchmarking

/// One variant of one hop, run any number of times.
public struct HopCase: Sendable {
    /// The boundary, such as `async`.
    public let boundary: String
    /// The variant: `raw`, `handwritten`, `carried`, `carried-unbound` (nothing is bound), or another.
    public let way: String
    /// The binding around the calls.
    public let binding: CaseBinding
    /// True if the calls are made inside a task.
    public let isInTask: Bool
    /// True if blocks of it can be timed: some cases end the process, or wait for a second.
    public let isTimed: Bool
    /// The least number of hops that it makes.
    public let batch: Int
    private let makeParts: @Sendable () -> HopParts

    init(
        _ boundary: String,
        _ way: String,
        _ binding: CaseBinding = .nothing,
        isInTask: Bool = false,
        isTimed: Bool = true,
        batch: Int = 1,
        parts: @escaping @Sendable () -> HopParts
    ) {
        self.boundary = boundary
        self.way = way
        self.binding = binding
        self.isInTask = isInTask
        self.isTimed = isTimed
        self.batch = batch
        makeParts = parts
    }

    /// `boundary/way`.
    public var name: String { "\(boundary)/\(way)" }

    /// Makes new queues, and the functions that use them.
    public func parts() -> HopParts { makeParts() }

    /// The case as it is timed: one hop at a time, or one batch.
    public var variant: HopVariant {
        let (parts, batch, binding) = (parts(), batch, binding)
        return HopVariant.held(way, hold: parts.hold, enqueue: { parts.enqueue(batch) }, drain: parts.drain)
            .within { block in binding.around(block) }
    }

    /// Makes a number of hops with the required binding.
    public func run(_ hops: Int) {
        let parts = parts()
        binding.around {
            parts.hold()
            parts.enqueue(hops)
            parts.drain()
        }
    }

    /// The same case inside a task.
    func inTask() -> HopCase {
        HopCase("task-\(boundary)", way, binding, isInTask: true, isTimed: isTimed, batch: batch, parts: makeParts)
    }

    /// The same calls with this binding, for the programs with and without automatic mode.
    func plain(_ way: String, _ binding: CaseBinding) -> HopCase {
        HopCase(
            "automatic-\(boundary)",
            way,
            binding,
            isInTask: isInTask,
            isTimed: false,
            batch: batch,
            parts: makeParts
        )
    }

    /// All cases, in the order of the tables.
    public static let all =
        asyncCases + batchCases + turnCases + concurrentCases + givenQueueCases + syncCases + itemCases + timerCases
        + operationCases
        + performCases + sourceCases + detachedCases + handlerCases + scopeCases + restoreCases + leaseCases + taskCases
        + diagnosticCases + scopedCases
}

/// The parts of a block of hops: neither side waits for the other.
public struct HopParts: Sendable {
    /// Keeps the queue from running anything.
    public let hold: @Sendable () -> Void
    /// Hands over a number of pieces of work.
    public let enqueue: @Sendable (_ hops: Int) -> Void
    /// Resumes the queue, and returns when all its work has run.
    public let drain: @Sendable () -> Void

    init(
        hold: @escaping @Sendable () -> Void = {},
        enqueue: @escaping @Sendable (_ hops: Int) -> Void,
        drain: @escaping @Sendable () -> Void = {}
    ) {
        self.hold = hold
        self.enqueue = enqueue
        self.drain = drain
    }
}
