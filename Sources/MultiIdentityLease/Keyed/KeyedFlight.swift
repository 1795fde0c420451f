import MultiIdentity

/// Work that is under way for all who have joined it.
final class KeyedFlight<Value: Sendable>: Sendable {
    private struct State {
        var joiners: [ObjectIdentifier: Joiner<Value>] = [:]
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Locked(State())

    var joinerCount: Int { state.withLock { $0.joiners.count } }

    /// Joins, unless the flight is over.
    func add(_ joiner: Joiner<Value>) -> Bool {
        state.withLock { state in
            if !state.isOver { state.joiners[ObjectIdentifier(joiner)] = joiner }
            return !state.isOver
        }
    }

    /// Leaves.
    ///
    /// - Returns: Whether nobody is left: then it is over, so that nobody joins what is about to be cancelled.
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

    /// Ends the flight, and gives those who are in it.
    func end() -> [Joiner<Value>] {
        let (joiners, task) = state.withLock { state -> ([Joiner<Value>], Task<Void, Never>?) in
            defer { (state.isOver, state.joiners, state.task) = (true, [:], nil) }
            return (Array(state.joiners.values), state.task)
        }
        task?.cancel()
        return joiners
    }
}
