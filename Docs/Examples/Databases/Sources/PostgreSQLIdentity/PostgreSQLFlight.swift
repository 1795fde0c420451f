import CPostgreSQL

/// Statements that a connection has sent and waits for, and who waits.
struct PostgreSQLFlight {
    /// The place that the statements have in the transaction.
    enum Kind {
        /// A part of one that goes on.
        case part
        /// The whole of one.
        case whole
        /// The end of one, which counts.
        case commit
        /// The end of one, which does not.
        case rollback
        /// Nothing that is watched here.
        case plain

        /// True if the transaction is to end.
        var isEnd: Bool { self == .commit || self == .rollback }

        /// True if the server may have committed by the time that it answers.
        var mayCommit: Bool { self == .whole || self == .commit }
    }

    /// Why the server was asked to stop.
    enum Interruption {
        case cancelled, timedOut, revoked

        var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .timedOut: PostgreSQLError.timedOut
            case .revoked:
                PostgreSQLError(.interrupted, "A statement was cut short, since its identity was revoked.")
            }
        }
    }

    let kind: Kind
    /// The statement that binds the identity, if it was sent as well, and whether `BEGIN` was before it.
    let binding: IdentityBindingSent?
    let continuation: CheckedContinuation<[PostgreSQLResult], any Error>
    /// By the clock that does not stop, in nanoseconds.
    var deadline: UInt64
    var results: [PostgreSQLResult] = []
    /// The first error that the server answered with.
    var refusal: PostgreSQLError?
    var interruption: Interruption?
    /// The number of answers that came before those of the work's own statements.
    var skipped = 0
    /// True once the server has confirmed the identity.
    var isBound = false

    /// Notes an answer.
    mutating func receive(_ pointer: OpaquePointer) {
        switch PQresultStatus(pointer) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            let result = PostgreSQLResult(memory: ResultMemory(pointer))
            guard let binding, skipped < binding.statements else { return results.append(result) }
            skipped += 1
            guard skipped == binding.statements else { return }
            refusal = refusal ?? binding.refusal(of: result)
            isBound = refusal == nil
        case PGRES_PIPELINE_ABORTED: PQclear(pointer)  // one after that which failed
        default:
            defer { PQclear(pointer) }
            if refusal == nil { refusal = .server(pointer) }
        }
    }
}

/// The identity that was sent along with the first statement.
struct IdentityBindingSent {
    let text: [CChar]
    /// 2 where `BEGIN` was sent before it, else 1.
    let statements: Int

    /// The fault of the server's answer.
    func refusal(of result: PostgreSQLResult) -> PostgreSQLError? {
        let pointer = result.memory.pointer
        guard PQntuples(pointer) == 1, PQnfields(pointer) == 2 else { return Self.notSet }
        // Null at first, and empty once a transaction has had the setting.
        if PQgetlength(pointer, 0, 0) > 0 { return Self.sessionHasIdentity }
        guard let now = PQgetvalue(pointer, 0, 1), text.withUnsafeBufferPointer({ Self.isSame($0, now) }) else {
            return Self.notSet
        }
        return nil
    }

    private static func isSame(_ text: UnsafeBufferPointer<CChar>, _ other: UnsafePointer<CChar>) -> Bool {
        // Up to the zero byte, which both end with.
        for index in text.indices where text[index] != other[index] { return false }
        return true
    }

    private static let notSet = PostgreSQLError(
        .identityNotSet,
        "The server did not confirm the identity that it was given. See what PostgreSQLSettings.binding names there."
    )
    private static let sessionHasIdentity = PostgreSQLError(
        .sessionHasIdentity,
        """
        The session on the server was somebody's before the transaction began: another client of the pooler has set the identity \
        and not for its transaction. Find it, and have the pooler open its connections anew.
        """
    )
}

extension PostgreSQLError {
    /// The server's answer.
    static func server(_ result: OpaquePointer) -> Self {
        func field(_ code: Character) -> String? {
            code.asciiValue.flatMap { PQresultErrorField(result, Int32($0)) }.map { String(cString: $0) }
        }
        // The codes of PG_DIAG_MESSAGE_PRIMARY, _DETAIL and _SQLSTATE, macros that Swift does not see.
        let message = field("M") ?? String(cString: PQresultErrorMessage(result))
        return PostgreSQLError(.server, message + (field("D").map { ": " + $0 } ?? ""), sqlState: field("C"))
    }
}
