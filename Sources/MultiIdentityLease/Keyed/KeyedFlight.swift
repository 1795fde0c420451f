import MultiIdentity

/// Work in progress for all callers that joined it, in the order in which they joined.
final class KeyedFlight<Value: Sendable>: Load {
    private struct State {
        var joiners: [ObjectIdentifier: (place: Int, joiner: Joiner<Value>)] = [:]
        var joined = 0
        var task: Task<Void, Never>?
        var isOver = false

        var inOrder: [Joiner<Value>] { joiners.values.sorted { $0.place < $1.place }.map(\.joiner) }
    }

    private let loads: @Sendable (LoadedKey) -> Bool
    private let state = Locked(State())

    /// Creates a flight without callers.
    ///
    /// - Parameter loads: Returns whether this flight loads a key.
    init(loads: @escaping @Sendable (LoadedKey) -> Bool) { self.loads = loads }

    var isOver: Bool { state.withLock { $0.isOver } }
    /// The callers, in the order in which they joined.
    var joiners: [Joiner<Value>] { state.withLock { $0.inOrder } }

    func isLoading(_ key: LoadedKey) -> Bool { loads(key) }

    /// Joins, unless the flight is over.
    func add(_ joiner: Joiner<Value>) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.joined += 1
            state.joiners[ObjectIdentifier(joiner)] = (state.joined, joiner)
            return true
        }
    }

    /// Leaves.
    ///
    /// - Returns: Whether no caller is left. Then the flight is over, so that no one joins work that is about to be cancelled.
    func remove(_ joiner: Joiner<Value>) -> Bool {
        state.withLock { state in
            guard state.joiners.removeValue(forKey: ObjectIdentifier(joiner)) != nil, state.joiners.isEmpty else {
                return false
            }
            state.isOver = true
            return true
        }
    }

    func fly(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Ends the flight for its callers, in the order in which they joined.
    func end(_ outcome: Result<Value, any Error>) {
        let (joiners, task) = state.withLock { state in
            defer { (state.isOver, state.joiners, state.task) = (true, [:], nil) }
            return (state.inOrder, state.task)
        }
        task?.cancel()
        for joiner in joiners { joiner.settle(outcome) }
    }
}

/// The place of one caller in a flight.
struct FlightSeat<Value: Sendable>: LoadSeat {
    let flight: KeyedFlight<Value>
    let joiner: Joiner<Value>
    /// True for the first caller, which starts the flight.
    let isFirst: Bool

    var load: any Load { flight }
}
