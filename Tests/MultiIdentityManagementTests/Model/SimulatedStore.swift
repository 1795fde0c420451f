import MultiIdentity
@_spi(Stores) import MultiIdentityManagement

/// A process's access to the shared store, at which the process can be killed: before or after a commit.
final class SimulatedStore: AccountStore, Sendable {
    enum Crash: Sendable { case beforeCommit, afterCommit }

    private struct State {
        var left: Int?
        var crash = Crash.beforeCommit
        var hasCrashed = false
        /// The number of transactions that still fail, as if another process had the store locked.
        var failing = 0
    }

    private let base: any AccountStore
    private let process: SimulatedProcess
    private let state = Locked(State())

    init(_ base: any AccountStore, _ process: SimulatedProcess) {
        self.base = base
        self.process = process
    }

    var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

    var isFailing: Bool { state.withLock { $0.failing > 0 } }

    /// Makes the next transactions fail.
    func fail(_ transactions: Int) { state.withLock { $0.failing = transactions } }

    /// Lets nothing more reach the store.
    func end() { state.withLock { $0.hasCrashed = true } }

    /// Ends the process at a transaction, after a number of other transactions.
    func crash(_ crash: Crash, after transactions: Int) {
        state.withLock { state in
            state.left = transactions
            state.crash = crash
        }
    }

    func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        let crash = try begin()
        let value = try base.transaction { (transaction) throws(ManagementError) -> Value in
            let value = try body(transaction)
            if crash == .beforeCommit { throw Self.gone }
            return value
        }
        // The process has ended, and so has the code after this.
        if crash == .afterCommit { throw Self.gone }
        return value
    }

    func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        _ = try begin(reading: true)
        return try base.reading(body)
    }

    private static var gone: ManagementError { ManagementError(.unavailable, "the process was killed") }

    private func begin(reading: Bool = false) throws(ManagementError) -> Crash? {
        let (isGone, crash) = state.withLock { state -> (Bool, Crash?) in
            if state.hasCrashed || process.isDead { return (true, nil) }
            if state.failing > 0 {
                state.failing -= 1
                return (true, nil)
            }
            guard !reading, let left = state.left else { return (false, nil) }
            state.left = left - 1
            if left > 0 { return (false, nil) }
            state.hasCrashed = true
            return (false, state.crash)
        }
        if isGone { throw Self.gone }
        return crash
    }
}
