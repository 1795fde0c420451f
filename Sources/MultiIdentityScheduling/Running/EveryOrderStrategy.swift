#if os(Linux)
/// Explores once each order of the steps that do not commute: depth first, with sleep sets.
///
/// If all choices of a step have been explored before, and nothing since then conflicts with them, what follows is equivalent
/// to an earlier schedule, and is redundant.
///
/// Source: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (LNCS 1032, 1996).
struct EveryOrderStrategy: SchedulingStrategy {
    /// A work item whose next step was explored before.
    private struct Sleeper {
        let workItem: Int
        let accesses: StepAccesses
    }

    private struct Node {
        /// The numbers of the work items that can run, and the index of the one that does.
        let workItems: [Int]
        var chosen: Int
        var sleepers: [Sleeper]
        /// The objects that the chosen step accessed.
        var accesses = StepAccesses()

        func firstAwake() -> Int? {
            workItems.firstIndex { workItem in !sleepers.contains { $0.workItem == workItem } }
        }
    }

    private var nodes: [Node] = []
    private var step = 0
    private(set) var isRedundant = false
    let isReducing = true

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        defer { step += 1 }
        if isRedundant { return 0 }
        if step < nodes.count { return min(nodes[step].chosen, options.count - 1) }
        let workItems = options.map(\.workItem.number)
        var node = Node(workItems: workItems, chosen: 0, sleepers: [])
        if let last = nodes.last {
            node.sleepers = last.sleepers.filter { sleeper in
                workItems.contains(sleeper.workItem) && sleeper.accesses.commutes(with: last.accesses)
            }
        }
        guard let awake = node.firstAwake() else {
            isRedundant = true
            return 0
        }
        node.chosen = awake
        nodes.append(node)
        return awake
    }

    mutating func ended(_ accesses: StepAccesses) {
        if step > 0, !isRedundant { nodes[step - 1].accesses = accesses }
    }

    var repeated: Int { nodes.count { $0.workItems.count > 1 } }

    mutating func next(after steps: [ScheduleStep]) -> Bool {
        (step, isRedundant) = (0, false)
        while var node = nodes.popLast() {
            node.sleepers.append(Sleeper(workItem: node.workItems[node.chosen], accesses: node.accesses))
            guard let awake = node.firstAwake() else { continue }
            node.chosen = awake
            nodes.append(node)
            return true
        }
        return false
    }
}
#endif
