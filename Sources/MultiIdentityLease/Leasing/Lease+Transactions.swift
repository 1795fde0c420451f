import MultiIdentity
import Synchronization

extension Lease {
    /// Runs `work` in a transaction; inside another one of the lease, in a savepoint.
    ///
    /// It is rolled back where `work` throws, and where the lease may not be used any more when `work` has returned: of a lessee
    /// who was revoked meanwhile nothing is committed. A commit that has begun is counted as the lessee's work, and
    /// `IdentityRevocation.drain(_:timeout:)` waits for it. A resource on which something was rolled back is verified when it
    /// comes back, whatever the settings; one on which a step failed is closed.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: ``LeaseError`` with `.noTransactions` where the binding says nothing of them; what `use` throws; what a
    ///   step throws; what `work` throws.
    @discardableResult
    public func withTransactionBlocking<Value>(_ work: () throws -> Value) throws -> Value {
        try turn.check()
        let depth = try turn.begin()
        let value: Value
        let commit: CountedWork
        do {
            value = try work()
            commit = try turn.beginCommit()
        } catch {
            try? turn.step(depth == 0 ? .rollback : .rollbackTo(depth), from: depth)
            throw error
        }
        try turn.step(depth == 0 ? .commit : .release(depth), from: depth)
        commit.end()
        return value
    }

    /// Runs asynchronous `work` in a transaction; inside another one of the lease, in a savepoint.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: As the synchronous one.
    @discardableResult
    public nonisolated(nonsending) func withTransaction<Value>(
        _ work: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try turn.check()
        let depth = try await turn.beginWaiting()
        let value: Value
        let commit: CountedWork
        do {
            value = try await work()
            commit = try turn.beginCommit()
        } catch {
            try? await turn.stepWaiting(depth == 0 ? .rollback : .rollbackTo(depth), from: depth)
            throw error
        }
        try await turn.stepWaiting(depth == 0 ? .commit : .release(depth), from: depth)
        commit.end()
        return value
    }
}

extension LeaseReference {
    /// Runs asynchronous `work` that makes count what the lease has done, as a client that has transactions of its own.
    ///
    /// It does not begin where the lessee was revoked, and is counted as the lessee's work from there to its end:
    /// `IdentityRevocation.drain(_:timeout:)` waits for it.
    ///
    /// - Parameter work: The commit.
    /// - Returns: What `work` returns.
    /// - Throws: What `use` throws; what `work` throws.
    @discardableResult
    public nonisolated(nonsending) func commit<Value>(
        _ work: nonisolated(nonsending) (Resource) async throws -> Value
    ) async throws -> Value {
        try await use { resource in
            let commit = try turn.beginCommit()
            let value = try await work(resource)
            commit.end()
            return value
        }
    }
}

extension LeaseTurn {
    /// Begins a commit, of which a revocation either comes first and it is refused, or waits for it.
    fileprivate func beginCommit() throws -> CountedWork {
        try check()
        return try owner.beginCounted()
    }

    private static let noTransactions = LeaseError(
        .noTransactions,
        "A transaction was asked for, and the binding says nothing of them. Give LeaseBinding its `transactions`."
    )

    private var opening: (depth: Int, step: LeaseTransactionStep) {
        let depth = slot.transactions.load(ordering: .relaxed)
        return (depth, depth == 0 ? .begin(lessee) : .savepoint(depth))
    }

    fileprivate func begin() throws -> Int {
        let (depth, step) = opening
        try perform(step)
        slot.transactions.store(depth + 1, ordering: .relaxed)
        return depth
    }

    fileprivate nonisolated(nonsending) func beginWaiting() async throws -> Int {
        let (depth, step) = opening
        try await performWaiting(step)
        slot.transactions.store(depth + 1, ordering: .relaxed)
        return depth
    }

    fileprivate func step(_ step: LeaseTransactionStep, from depth: Int) throws {
        leave(step, to: depth)
        try perform(step)
    }

    fileprivate nonisolated(nonsending) func stepWaiting(_ step: LeaseTransactionStep, from depth: Int) async throws {
        leave(step, to: depth)
        try await performWaiting(step)
    }

    private func leave(_ step: LeaseTransactionStep, to depth: Int) {
        slot.transactions.store(depth, ordering: .relaxed)
        switch step {
        case .rollback, .rollbackTo: slot.wasRolledBack.store(true, ordering: .relaxed)
        default: break
        }
    }

    private func perform(_ step: LeaseTransactionStep) throws {
        switch desk.transactions {
        case nil: throw Self.noTransactions
        case .asynchronous: throw LeaseDesk.needsAsynchronousCode
        case .synchronous(let perform):
            do { try perform(slot, step) } catch {
                slot.makeUnusable(lease)
                throw error
            }
        }
    }

    private nonisolated(nonsending) func performWaiting(_ step: LeaseTransactionStep) async throws {
        guard case .asynchronous(let perform) = desk.transactions else { return try self.perform(step) }
        do { try await perform(slot, step) } catch {
            slot.makeUnusable(lease)
            throw error
        }
    }
}
