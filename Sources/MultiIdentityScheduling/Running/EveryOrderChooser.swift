#if os(Linux)
/// Explores once each order of the steps that do not commute: depth first, with sleep sets.
///
/// If all choices of a step have been explored before, and nothing since then conflicts with them, what follows is equivalent
/// to an earlier schedule, and is redundant.
///
/// Source: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (LNCS 1032, 1996).
struct EveryOrderChooser: ScheduleChooser {
    /// A piece whose next step was explored before.
    private struct Sleeper {
        let piece: Int
        let touches: ScheduledTouches
    }

    private struct Node {
        /// The numbers of the pieces that can run, and the index of the one that does.
        let pieces: [Int]
        var chosen: Int
        var sleepers: [Sleeper]
        /// The objects that the chosen step touched.
        var touches = ScheduledTouches()

        func firstAwake() -> Int? { pieces.firstIndex { piece in !sleepers.contains { $0.piece == piece } } }
    }

    private var nodes: [Node] = []
    private var step = 0
    private(set) var isRedundant = false
    let isReducing = true

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        defer { step += 1 }
        if isRedundant { return 0 }
        if step < nodes.count { return min(nodes[step].chosen, options.count - 1) }
        let pieces = options.map(\.piece.number)
        var node = Node(pieces: pieces, chosen: 0, sleepers: [])
        if let last = nodes.last {
            node.sleepers = last.sleepers.filter { sleeper in
                pieces.contains(sleeper.piece) && sleeper.touches.commutes(with: last.touches)
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

    mutating func ended(_ touches: ScheduledTouches) {
        if step > 0, !isRedundant { nodes[step - 1].touches = touches }
    }

    var repeated: Int { nodes.count { $0.pieces.count > 1 } }

    mutating func next(after steps: [ScheduleStep]) -> Bool {
        (step, isRedundant) = (0, false)
        while var node = nodes.popLast() {
            node.sleepers.append(Sleeper(piece: node.pieces[node.chosen], touches: node.touches))
            guard let awake = node.firstAwake() else { continue }
            node.chosen = awake
            nodes.append(node)
            return true
        }
        return false
    }
}
#endif
