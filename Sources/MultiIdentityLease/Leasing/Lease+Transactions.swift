import MultiIdentity
import Synchronization

extension Lease {
    /// Runs `work` in a transaction, or in a savepoint if the lease already has a transaction.
    ///
    /// The transaction is rolled back if `work` throws, or if the lease is no longer valid when `work` returns: nothing is committed
    /// for a lessee who was revoked meanwhile. A commit that has begun counts as the lessee's work, and
    /// `IdentityRevocation.drain(_:timeout:)` waits for it. After a rollback the resource is verified when it comes back, whatever the
    /// settings; after a failed step it is closed.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: ``LeaseError`` with `.noTransactions` if the binding supports none; the errors of `use`, of a step and of `work`.
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

    /// Runs asynchronous `work` in a transaction, or in a savepoint if the lease already has a transaction.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The same errors as the synchronous method.
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
    /// Runs asynchronous `work` that commits the lease's changes, for a client with its own transactions.
    ///
    /// The commit does not begin if the lessee is revoked. Once begun, it counts as the lessee's work until it ends, and
    /// `IdentityRevocation.drain(_:timeout:)` waits for it.
    ///
    /// - Parameter work: The commit.
    /// - Returns: The result of `work`.
    /// - Throws: The errors of `use` and of `work`.
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
    /// Begins a commit: an earlier revocation refuses it, and a later one waits for it.
    ///
    /// The binding is the one that the scope's beginning checked, since scopes nest.
    @inline(never)
    fileprivate func beginCommit() throws -> CountedWork {
        let standing = slot.standing(of: lease)
        if standing != .open || deadline != nil { try check(standing) }
        return try owner.beginCounted()
    }

    private static let noTransactions = LeaseError(
        .noTransactions,
        "A transaction was requested, but the binding supports none. Give LeaseBinding its `transactions`."
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

    @inline(__always)
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

    @inline(__always)
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
        case .asynchronous: throw LeaseDesk.requiresAsync
        case .synchronous(let perform):
            do { try perform(slot, step) } catch {
                slot.makeUnusable(lease)
                throw error
            }
        }
    }

    @inline(__always)
    private nonisolated(nonsending) func performWaiting(_ step: LeaseTransactionStep) async throws {
        guard case .asynchronous(let perform) = desk.transactions else { return try self.perform(step) }
        do { try await perform(slot, step) } catch {
            slot.makeUnusable(lease)
            throw error
        }
    }
}
