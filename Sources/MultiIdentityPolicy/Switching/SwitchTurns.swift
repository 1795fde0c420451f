import MultiIdentity

/// The turns of switches: one at a time, in the order of asking.
final class SwitchTurns: Sendable {
    /// One place in the line.
    struct Place: Sendable {
        fileprivate let number: UInt64
        fileprivate let turn: Promise<Bool>
    }

    private struct State {
        var isTaken = false
        /// The turns that are waited for; one that is cancelled leaves a gap, so that leaving costs no search.
        var waiting: [UInt64: Promise<Bool>] = [:]
        var next: UInt64 = 0
        var end: UInt64 = 0

        mutating func takeNext() -> Promise<Bool>? {
            while next < end {
                next += 1
                if let turn = waiting.removeValue(forKey: next - 1) { return turn }
            }
            isTaken = false
            return nil
        }
    }

    private let state = Locked(State())

    /// Takes the last place in the line, at once.
    func line() -> Place {
        let turn = Promise<Bool>()
        let (number, isFree) = state.withLock { state -> (UInt64, Bool) in
            let isFree = !state.isTaken
            state.isTaken = true
            if isFree { return (0, true) }
            state.waiting[state.end] = turn
            state.end += 1
            return (state.end - 1, false)
        }
        if isFree { turn.give(true) }
        return Place(number: number, turn: turn)
    }

    /// Waits for the turn of a place.
    ///
    /// - Returns: `true` when it is the task's turn, which then must call ``pass()``; `false` if it was cancelled before.
    func wait(for place: Place) async -> Bool {
        let hasTurn = await place.turn.wait(orOnCancellation: false)
        if !hasTurn { state.withLock { _ = $0.waiting.removeValue(forKey: place.number) } }
        return hasTurn
    }

    /// Gives the turn to the next in line who still waits.
    func pass() {
        // A task that is cancelled at this very moment has answered first, and the one behind has the turn.
        while let turn = state.withLock({ $0.takeNext() }), !turn.give(true) {}
    }

    /// The number of tasks that wait.
    var waiting: Int { state.withLock { $0.waiting.count } }
}
