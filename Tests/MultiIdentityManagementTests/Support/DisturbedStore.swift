import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy

/// A store in memory that fails when a test says so, and records its calls.
final class DisturbedStore: AccountStore {
    /// The calls that fail: all calls, writing calls, or calls that would change when requests are due, as on a full disk.
    enum Failing: Sendable { case all, writes, changes }

    typealias Work = @Sendable (any AccountTransaction) throws(ManagementError) -> Void

    let clock = SteppedClock()
    let base: SQLiteAccountStore
    private let state = Locked((failing: Failing?.none, asked: 0, left: Int.max))
    /// What another process does before the next transaction.
    let interrupt = Locked<Work?>(nil)
    /// The number of running processes at each reading.
    let presences = Locked<[Int]>([])
    /// Called by the store when another process has changed something; `nil` if the registry has not asked for this.
    let changed = Locked<(@Sendable () -> Void)?>(nil)

    init() { base = SQLiteAccountStore(clock: clock) }

    /// The number of calls so far.
    var asked: Int { state.withLock { $0.asked } }

    func fail(_ failing: Failing?, times: Int = .max) {
        state.withLock { ($0.failing, $0.left) = (failing, times) }
    }

    private static let failure = ManagementError(.noSpace, "on purpose")

    private func begin() -> Failing? {
        state.withLock { state in
            state.asked += 1
            state.left -= state.failing == nil ? 0 : 1
            return state.left < 0 ? nil : state.failing
        }
    }

    func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        let failing = begin()
        if failing == .all || failing == .writes { throw Self.failure }
        if let work = interrupt.take() { try base.transaction(work) }
        return try base.transaction { (transaction) throws(ManagementError) in
            let before = try transaction.nextDue()
            let value = try body(transaction)
            if failing == .changes, try transaction.nextDue() != before { throw Self.failure }
            return value
        }
    }

    func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        if begin() == .all { throw Self.failure }
        return try base.reading { (transaction) throws(ManagementError) in
            let count = try transaction.processes().count
            presences.withLock { $0.append(count) }
            return try body(transaction)
        }
    }

    func onChange(_ changed: @escaping @Sendable () -> Void) -> Subscription? {
        self.changed.withLock { $0 = changed }
        return Subscription { [self] in self.changed.withLock { $0 = nil } }
    }
}
