import MultiIdentity

/// Creates requests, and decides when the run ends.
struct Intake {
    private let calls: GeneratedCalls
    private let depth: Int
    private let mix: BoundaryMix
    private let hopLimit: Int?
    private let requestTimeout: Int?
    private let deadline: ContinuousClock.Instant?
    private(set) var requestCount = 0
    /// The hops over the package's boundaries that the requests so far will make.
    private(set) var plannedHops = 0
    /// A hash of the requests and their steps, whatever the order in which they run.
    private(set) var workloadHash: UInt64 = 0
    /// The reason for the end, once there are no more requests.
    private(set) var end: RunEnd?

    init(_ options: StressOptions) {
        calls = GeneratedCalls(seed: options.seed, identities: options.identities)
        depth = options.depth
        mix = options.mix
        hopLimit = options.hops
        requestTimeout = options.requests
        deadline = options.seconds.map { .now + .seconds($0) }
    }

    /// Returns the next request's number, call and steps; `nil` at the end of the run.
    mutating func next() -> (number: Int, call: Call, steps: [Step])? {
        end = end ?? limitReached
        guard end == nil else { return nil }
        let call = calls.call(requestCount)
        let hopsLeft = hopLimit.map { $0 - plannedHops } ?? .max
        let steps = Step.chain(seed: call.stepSeed, depth: min(depth, hopsLeft), mix: mix)
        combine(call, steps)
        defer { requestCount += 1 }
        plannedHops += steps.count { BoundaryCatalogue.isCarried(Int($0.boundary)) }
        return (requestCount, call, steps)
    }

    private var limitReached: RunEnd? {
        if let requestTimeout, requestCount >= requestTimeout { return .requests }
        if let hopLimit, plannedHops >= hopLimit { return .hops }
        if let deadline, .now >= deadline { return .seconds }
        return nil
    }

    /// A stall takes precedence over other ends: work is missing.
    mutating func stop(_ reason: RunEnd) {
        if end == nil || reason == .stalled { end = reason }
    }

    private mutating func combine(_ call: Call, _ steps: [Step]) {
        var hash = FNV1a()
        hash.combine(UInt64(requestCount))
        hash.combine(call.identity.map { $0.isNobody ? "nobody" : "as " + $0.name } ?? "unset")
        hash.combine(UInt64(bitPattern: Int64(call.levels ?? -1)))
        for step in steps {
            hash.combine(step.boundary)
            hash.combine(step.choices)
        }
        workloadHash = (workloadHash &* 0x0000_0100_0000_01B3) ^ hash.value
    }
}
