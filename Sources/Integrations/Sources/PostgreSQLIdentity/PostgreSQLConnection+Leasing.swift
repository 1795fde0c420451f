import Dispatch
import MultiIdentity
import Synchronization

extension PostgreSQLConnection {
    /// The known state of a connection.
    struct State {
        /// Why the connection can no longer be used.
        var failure: PostgreSQLError?
        var isUnderWay = false
        var isIdle = true
        /// The number of the lease, incremented at each.
        var turn: UInt64 = 0
        /// What the next statement has to send first.
        var owed: Beginning?
    }

    /// What the first statement of a lease sends first: the identity, and `BEGIN` unless it is the whole transaction.
    struct Beginning {
        let identity: String
        let binding: PostgreSQLStatement
        var isOfMany = false

        init(_ identity: String) throws(PostgreSQLError) {
            self.identity = identity
            // Evaluated from left to right: the session's previous value comes first.
            binding = try PostgreSQLStatement(
                "SELECT current_setting('app.identity', true), set_config('app.identity', $1, true)",
                [identity]
            )
        }

        var statements: [PostgreSQLStatement] {
            isOfMany ? [PostgreSQLStatement(fixed: "BEGIN"), binding] : [binding]
        }

        /// Returns the error in the server's answer to the binding.
        func fault(of answer: PostgreSQLResult) -> PostgreSQLError? {
            guard let row = answer.rows.first else { return .identityNotSet }
            // Null at first, and empty once a transaction has had the setting.
            if row[0] ?? "" != "" { return .sessionHasIdentity }
            return row[1] == identity ? nil : .identityNotSet
        }
    }

    /// The role of statements in the transaction.
    enum Kind {
        /// A part of a transaction that continues.
        case part
        /// A complete transaction.
        case whole
        /// The commit of a transaction.
        case commit
        /// The rollback of a transaction.
        case rollback
        /// A statement that is not tracked here.
        case plain

        /// True if the transaction is to end.
        var isEnd: Bool { self == .commit || self == .rollback }
        /// True if the server may have committed by the time that it answers.
        var mayCommit: Bool { self == .commit || self == .whole }
    }

    /// Stores the next transaction's identity; its first statement sends it.
    func bind(to identity: String) throws {
        let owed = try Beginning(identity)
        let isUsable = state.withLock { state in
            state.turn += 1
            state.owed = owed
            return state.failure == nil
        }
        if !isUsable || wire.wasLost { throw StaleConnection() }
    }

    /// Makes the next statement begin a transaction that continues.
    ///
    /// - Returns: The number of the lease, which each statement of the transaction has to pass.
    func begin() -> UInt64 {
        state.withLock { state in
            state.owed?.isOfMany = true
            return state.turn
        }
    }

    /// Forgets the last transaction's identity; throws unless the server has reported that no transaction is open.
    func clear() throws {
        let refusal = state.withLock { state -> PostgreSQLError? in
            state.owed = nil
            if let failure = state.failure { return failure }
            if state.isUnderWay { return .busy }
            return state.isIdle ? nil : .transactionGoesOn
        }
        if let refusal { throw refusal }
    }

    /// Runs a statement and waits for the answer; a pending beginning is sent before it, in the same round trip.
    ///
    /// - Returns: The answer; none for the end of a transaction that has not begun.
    nonisolated(nonsending) func run(
        _ statement: PostgreSQLStatement,
        as kind: Kind,
        within limit: Duration?,
        of turn: UInt64? = nil
    ) async throws -> [PostgreSQLResult] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do throws(PostgreSQLError) {
                    let owed = try take(kind, turn)
                    // A transaction that has not begun needs no end.
                    if owed != nil, kind.isEnd { return continuation.resume(returning: []) }
                    // Before there was anything to interrupt.
                    if Task.isCancelled { wire.interrupt(.cancelled) }
                    queue.async { [self] in
                        let outcome = Result { try exchange(statement, as: kind, within: limit ?? self.limit, owed) }
                        state.withLock { $0.isUnderWay = false }
                        continuation.resume(with: outcome)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            wire.interrupt(.cancelled)
        }
    }

    /// Marks the connection as busy, unless there is nothing to end, and takes the pending beginning.
    private func take(_ kind: Kind, _ turn: UInt64?) throws(PostgreSQLError) -> Beginning? {
        try state.withLock { (state) throws(PostgreSQLError) in
            if let turn, turn != state.turn { throw .over }
            if let failure = state.failure { throw failure }
            if state.isUnderWay { throw .busy }
            defer { state.owed = nil }
            if state.owed == nil || !kind.isEnd {
                state.isUnderWay = true
                wire.announce(isInterruptible: kind != .commit)
            }
            return state.owed
        }
    }

    private func exchange(
        _ statement: PostgreSQLStatement,
        as kind: Kind,
        within limit: Duration,
        _ owed: Beginning?
    ) throws -> [PostgreSQLResult] {
        let before = owed?.statements ?? []
        var answers: PostgreSQLWire.Answers
        do { answers = try wire.exchange(before + [statement], within: limit) } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            wire.cut()
            if let interruption = wire.interruption, kind != .commit { throw interruption.error }
            throw kind.mayCommit ? .commitUnknown(after: error) : error
        }
        var failure: PostgreSQLError?
        let isIdle = wire.isIdle
        switch kind {
        case .plain: break
        case .part: if isIdle { failure = .transactionEnded }
        case .whole, .commit, .rollback: if !isIdle { failure = .transactionGoesOn }
        }
        // If the transaction's identity is unknown, no answer counts.
        if let owed, let fault = fault(of: answers, owed, before.count) { (failure, answers.refusal) = (fault, fault) }
        // The request to stop may arrive only now, and must not affect what the next lessee runs.
        if let interruption = answers.interruption {
            failure = failure ?? (interruption == .timedOut ? .timedOut : .interruptedBefore)
        }
        state.withLock { state in
            state.isIdle = isIdle
            state.failure = state.failure ?? failure
        }
        // A complete answer counts anyway: it may be committed.
        guard let refusal = answers.refusal else { return Array(answers.results.dropFirst(before.count)) }
        // The server's answer to a stopped statement.
        if refusal.sqlState == "57014", let interruption = answers.interruption { throw interruption.error }
        throw refusal
    }

    private func fault(of answers: PostgreSQLWire.Answers, _ owed: Beginning, _ count: Int) -> PostgreSQLError? {
        guard answers.results.count >= count else { return answers.refusal ?? .transactionEnded }
        return owed.fault(of: answers.results[count - 1])
    }
}

/// A connection that was lost while it was idle.
struct StaleConnection: Error {}

extension PostgreSQLWire.Interruption {
    var error: any Error {
        switch self {
        case .cancelled: CancellationError()
        case .timedOut: PostgreSQLError.timedOut
        case .revoked: PostgreSQLError.interrupted
        }
    }
}
