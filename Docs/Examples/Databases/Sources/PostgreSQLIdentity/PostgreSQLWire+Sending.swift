import CPostgreSQL
import Dispatch
import Synchronization

/// The parts that the first statement of a lease takes along: `BEGIN`, unless it is the whole transaction, and the identity.
struct OwedBeginning {
    let binding: EncodedStatement
    /// `nil` where the transaction is one statement.
    var begin: PostgreSQLIsolation?
}

extension PostgreSQLWire {
    /// Sends statements, all at once, and waits for the answers; the owed beginning goes before them.
    nonisolated(nonsending) func run(
        _ statements: [EncodedStatement],
        as kind: PostgreSQLFlight.Kind,
        within limit: UInt64,
        of turn: UInt64? = nil
    ) async throws -> [PostgreSQLResult] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let refusal = state.withLock {
                    send(statements, as: kind, within: limit, of: turn, for: continuation, &$0)
                }
                if let refusal {
                    if refusal == .notBegun {
                        continuation.resume(returning: [])
                    } else {
                        continuation.resume(throwing: refusal)
                    }
                } else if Task.isCancelled {
                    // Before there was anything to interrupt.
                    interrupt(.cancelled)
                }
            }
        } onCancel: {
            interrupt(.cancelled)
        }
    }

    private func send(
        _ statements: [EncodedStatement],
        as kind: PostgreSQLFlight.Kind,
        within limit: UInt64,
        of turn: UInt64?,
        for continuation: CheckedContinuation<[PostgreSQLResult], any Error>,
        _ state: inout State
    ) -> PostgreSQLError? {
        if let turn, turn != state.turn { return .over }
        if let failure = state.failure { return failure }
        if state.flight != nil { return .busy }
        let owed = state.owed.take()
        var isTaken = true
        if let owed {
            // What was not begun needs no end.
            if kind.isEnd { return .notBegun }
            if let begin = owed.begin { isTaken = begin.beginning.queue(on: state.handle) }
            isTaken = isTaken && owed.binding.queue(on: state.handle)
        }
        for statement in statements where isTaken { isTaken = statement.queue(on: state.handle) }
        // One write, unless it is longer than a socket takes.
        guard isTaken, PQpipelineSync(state.handle) == 1, case let left = PQflush(state.handle), left >= 0 else {
            let failure = PostgreSQLError(
                .connectionLost,
                "A statement could not be sent: \(String(cString: PQerrorMessage(state.handle)).trimmed). Try the transaction again."
            )
            state.failure = failure
            return kind.mayCommit ? .commitUnknown(after: failure) : failure
        }
        if left == 1 { setWriting(true, &state) }
        let now = DispatchTime.now().uptimeNanoseconds
        let deadline = now.addingReportingOverflow(limit)
        let flight = PostgreSQLFlight(
            kind: kind,
            binding: owed.map { IdentityBindingSent(text: $0.binding.bytes, statements: $0.begin == nil ? 1 : 2) },
            continuation: continuation,
            deadline: deadline.overflow ? .max : deadline.partialValue
        )
        state.flight = flight
        setAlarm(for: flight.deadline, &state)
        return nil
    }

    /// Sets the alarm to a moment, unless it is set to an earlier one, at which it is looked again.
    func setAlarm(for moment: UInt64, _ state: inout State) {
        guard moment < state.alarm else { return }
        state.alarm = moment
        SocketWatch.shared.setAlarm(for: moment)
    }

    /// Asks the server to stop what is in flight; the connection is of no more use afterwards.
    func interrupt(_ interruption: PostgreSQLFlight.Interruption) {
        let isAsked = state.withLock { interrupt(interruption, &$0) }
        if isAsked { canceller.cancel() }
    }

    private func interrupt(_ interruption: PostgreSQLFlight.Interruption, _ state: inout State) -> Bool {
        // Whether a commit counts is only known once it is answered.
        guard let kind = state.flight?.kind, kind != .commit, state.flight?.interruption == nil else { return false }
        state.flight?.interruption = interruption
        let deadline = DispatchTime.now().uptimeNanoseconds + cancellationLimit
        state.flight?.deadline = deadline
        setAlarm(for: deadline, &state)
        return true
    }

    /// Interrupts what takes too long, and gives up what was interrupted and has no answer.
    func timeIsUp() {
        let (isAsked, isGivenUp) = state.withLock { state -> (Bool, Bool) in
            state.alarm = .max
            guard let flight = state.flight else { return (false, false) }
            guard flight.deadline <= DispatchTime.now().uptimeNanoseconds else {
                setAlarm(for: flight.deadline, &state)
                return (false, false)
            }
            return interrupt(.timedOut, &state) ? (true, false) : (false, true)
        }
        if isAsked { canceller.cancel() }
        if isGivenUp { close(because: .givenUp) }
    }
}

extension PostgreSQLError {
    /// Never thrown: the transaction has not begun on the server, and does not any more.
    static let notBegun = PostgreSQLError(.unusable, "")
    static let busy = PostgreSQLError(
        .unusable,
        "A statement was begun while another one of the connection is under way. Wait for each, or send them as one pipeline."
    )
    static let timedOut = PostgreSQLError(
        .timedOut,
        "A statement took longer than it may. Have it do less, or raise the limit."
    )
    static let givenUp = PostgreSQLError(
        .timedOut,
        "The server did not answer in time, nor when it was asked to stop. The connection is closed."
    )
}
