import MultiIdentity

/// Makes requests, and says when a segment and when the run has had enough.
struct Intake {
    private let calls: GeneratedCalls
    private let depth: Int
    private let mix: BoundaryMix
    private let requestLimit: Int?
    private(set) var requestCount = 0
    /// Carried hops that the requests so far are going to make.
    private(set) var plannedHops = 0
    /// Depends on the requests and their steps alone, not on when they ran.
    private(set) var workloadHash: UInt64 = 0
    /// The end of the run, once no more requests will come.
    private(set) var end: RunEnd?
    var segment: Segment

    init(_ options: StressOptions) {
        calls = GeneratedCalls(seed: options.seed, identities: options.identities)
        depth = options.depth
        mix = options.mix
        requestLimit = options.requests
        segment = Segment(options)
    }

    /// The next request's number, call and steps; `nil` at the end of the segment.
    mutating func next() -> (number: Int, call: Call, steps: [Step])? {
        if end != nil || segment.isOver(plannedHops) { return nil }
        end = if let requestLimit, requestCount >= requestLimit { .requests } else { segment.endOfRun(plannedHops) }
        guard end == nil else { return nil }
        let call = calls.call(requestCount)
        let steps = Step.chain(seed: call.stepSeed, depth: min(depth, segment.hopsLeft(plannedHops)), mix: mix)
        combine(call, steps)
        defer { requestCount += 1 }
        plannedHops += steps.count { BoundaryCatalogue.isCarried(Int($0.boundary)) }
        return (requestCount, call, steps)
    }

    mutating func stop(_ reason: RunEnd) {
        if end == nil { end = reason }
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
