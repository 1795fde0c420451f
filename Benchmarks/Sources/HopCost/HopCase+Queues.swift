import Dispatch
import MultiIdentity

/// Enqueues on a suspended queue, then lets it drain: neither side ever waits for the other.
private func held(_ queue: DispatchQueue, hops: Int, _ enqueue: () -> Void) {
    queue.suspend()
    for _ in 0..<hops { enqueue() }
    queue.resume()
    queue.sync {}
}

extension HopCase {
    static let queueCases: [HopCase] = [
        HopCase("async/raw") { hops in
            let queue = DispatchQueue(label: "raw")
            let counter = Counter()
            held(queue, hops: hops) { queue.async { counter.value += 1 } }
        },
        HopCase("async/handwritten") { hops in
            let queue = DispatchQueue(label: "handwritten")
            let counter = Counter()
            held(queue, hops: hops) {
                let user = Handwritten.user
                queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        },
        HopCase("async/carried", run: carriedAsync),
        HopCase("async/carried-unbound", run: carriedAsync),
        HopCase("async/with-counters") { hops in
            CarryCounters.areOn = true
            carriedAsync(hops)
        },
        HopCase("async/with-a-companion") { hops in
            IdentityCompanions.carry(Handwritten.$user)
            carriedAsync(hops)
        },
        HopCase("async/with-provenance") { hops in
            IdentityProvenance.isRecorded = true
            carriedAsync(hops)
        },
        HopCase("async/with-running-work") { hops in
            RunningWork.isRecorded = true
            carriedAsync(hops)
        },
        HopCase("async/with-strict-mode") { hops in
            IdentityDiagnostics.shared.strictness = [.requirements, .reads, .outlivedScopes]
            carriedAsync(hops)
        },
        HopCase("async/with-a-budget") { hops in
            IdentityDiagnostics.shared.budget = HopBudget(hops: 1_000_000, age: .seconds(3_600))
            carriedAsync(hops)
        },
        HopCase("async/with-the-sentinel") { hops in
            IdentityDiagnostics.shared.watchesWorkers = true
            carriedAsync(hops)
        },
        HopCase("async-group/raw") { hops in
            let queue = DispatchQueue(label: "raw")
            let group = DispatchGroup()
            let counter = Counter()
            held(queue, hops: hops) { queue.async(group: group) { counter.value += 1 } }
        },
        HopCase("async-group/handwritten") { hops in
            let queue = DispatchQueue(label: "handwritten")
            let group = DispatchGroup()
            let counter = Counter()
            held(queue, hops: hops) {
                let user = Handwritten.user
                queue.async(group: group) { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        },
        HopCase("async-group/carried", run: carriedAsyncGroup),
        HopCase("async-group/carried-unbound", run: carriedAsyncGroup),
        HopCase("sync/raw") { hops in
            let queue = DispatchQueue(label: "raw")
            let counter = Counter()
            for _ in 0..<hops { queue.sync { counter.value += 1 } }
        },
        HopCase("sync/handwritten") { hops in
            let queue = DispatchQueue(label: "handwritten")
            let counter = Counter()
            for _ in 0..<hops {
                let user = Handwritten.user
                queue.sync { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        },
        HopCase("sync/carried", run: carriedSync),
        HopCase("sync/carried-unbound", run: carriedSync),
    ]

    private static let carriedAsync: @Sendable (Int) -> Void = { hops in
        let queue = IdentityQueue(label: "carried")
        let counter = Counter()
        held(queue.base, hops: hops) { queue.async { counter.value += 1 } }
    }

    private static let carriedAsyncGroup: @Sendable (Int) -> Void = { hops in
        let queue = IdentityQueue(label: "carried")
        let group = DispatchGroup()
        let counter = Counter()
        held(queue.base, hops: hops) { queue.async(group: group) { counter.value += 1 } }
    }

    private static let carriedSync: @Sendable (Int) -> Void = { hops in
        let queue = IdentityQueue(label: "carried")
        let counter = Counter()
        for _ in 0..<hops { queue.sync { counter.value += 1 } }
    }
}
