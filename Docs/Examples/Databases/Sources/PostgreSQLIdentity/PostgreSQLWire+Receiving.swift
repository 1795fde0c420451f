import CPostgreSQL
import Synchronization

extension PostgreSQLWire {
    /// Takes what has come, and resumes who waits once it is all.
    func receive() {
        let (ended, isLost) = state.withLock { state -> (Ended?, Bool) in
            guard !state.isClosed else { return (nil, false) }
            if PQconsumeInput(state.handle) == 0 { return (nil, true) }
            while PQisBusy(state.handle) == 0 {
                guard state.flight != nil else { break }
                // Nothing comes between the answers to two statements.
                guard let pointer = PQgetResult(state.handle) else { continue }
                if PQresultStatus(pointer) == PGRES_PIPELINE_SYNC {
                    PQclear(pointer)
                    return (state.end(), PQstatus(state.handle) == CONNECTION_BAD)
                }
                state.flight?.receive(pointer)
                if PQstatus(state.handle) == CONNECTION_BAD { return (nil, true) }
            }
            return (nil, PQstatus(state.handle) == CONNECTION_BAD)
        }
        ended?.resume()
        if isLost { lose() }
    }

    /// A flight, and what comes of it.
    struct Ended {
        let flight: PostgreSQLFlight
        let outcome: Result<[PostgreSQLResult], any Error>

        func resume() { flight.continuation.resume(with: outcome) }
    }
}

extension PostgreSQLWire.State {
    /// Ends the flight, now that the server has answered it and said how the transaction stands.
    mutating func end() -> PostgreSQLWire.Ended? {
        guard let flight = flight.take() else { return nil }
        let isIdle = PQtransactionStatus(handle) == PQTRANS_IDLE
        switch flight.kind {
        case .plain: break
        case .part: if isIdle { failure = .transactionEnded }
        case .whole, .commit, .rollback: if !isIdle { failure = .transactionGoesOn }
        }
        // The transaction's identity is not known.
        if flight.binding != nil, !flight.isBound, failure == nil { failure = flight.refusal ?? .transactionEnded }
        if flight.interruption != nil {
            // The request to stop may come only now, and must not hit what the next lessee runs.
            if failure == nil { failure = flight.interruption == .timedOut ? .timedOut : .interruptedBefore }
        }
        // What was answered all the same counts: it may be committed.
        guard let refusal = flight.refusal else { return .init(flight: flight, outcome: .success(flight.results)) }
        let isStopped = refusal.sqlState == "57014"
        let error: any Error = isStopped ? flight.interruption?.error ?? refusal : refusal
        return .init(flight: flight, outcome: .failure(error))
    }
}

extension PostgreSQLFlight {
    /// Fails who waits, now that there will be no answer.
    func fail(_ failure: PostgreSQLError) {
        let error: any Error
        if let interruption, kind != .commit {
            error = interruption.error
        } else if kind.mayCommit {
            error = PostgreSQLError.commitUnknown(after: failure, sqlState: refusal?.sqlState)
        } else {
            error = PostgreSQLError(failure.code, failure.message, sqlState: refusal?.sqlState)
        }
        continuation.resume(throwing: error)
    }
}

extension PostgreSQLError {
    static func commitUnknown(after failure: PostgreSQLError, sqlState: String? = nil) -> Self {
        PostgreSQLError(
            .commitUnknown,
            "\(failure.message) Whether the server has committed is not known: look before you do it again.",
            sqlState: sqlState
        )
    }

    static let transactionEnded = PostgreSQLError(
        .unusable,
        "A statement ended the transaction that it was a part of. The connection is closed."
    )
    static let transactionGoesOn = PostgreSQLError(
        .unusable,
        "A transaction goes on though it was to end. The connection is closed."
    )
    static let interruptedBefore = PostgreSQLError(
        .unusable,
        "A statement was interrupted on this connection, which is closed. Take another lease."
    )
}
