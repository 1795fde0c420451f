import CPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// A libpq connection: sends statements in one batch, and blocks the thread until the server has answered all of them.
///
/// Unchecked, since a pointer is not Sendable: only the exchanging thread makes libpq's calls on it, the others use
/// the socket's number and the right to cancel, and the pointer is freed with the object.
package final class PostgreSQLWire: @unchecked Sendable {
    /// The result of statements that were sent in one batch.
    package struct Answers {
        /// The answers of those that succeeded, in order.
        package var results: [PostgreSQLResult] = []
        /// The server's answer to the first that failed; later ones were not run.
        package var refusal: PostgreSQLError?
        /// Why the server was asked to stop, if it was.
        var interruption: Interruption?
    }

    /// Why the server was asked to stop.
    enum Interruption { case cancelled, timedOut, revoked }

    private struct State {
        /// Incremented at each exchange.
        var number: UInt64 = 0
        var isUnderWay = false
        var isInterruptible = false
        var interruption: Interruption?
        var isClosed = false
    }

    private let handle: OpaquePointer
    private let canceller: PostgreSQLCanceller
    private let cancellationLimit: Duration
    private let state = Mutex(State())

    /// Connects, and blocks the thread meanwhile, for at most so many seconds unless the URL says otherwise.
    package init(
        _ url: String,
        connectingWithin seconds: Int64 = 10,
        cancellationLimit: Duration = .seconds(2)
    ) throws(PostgreSQLError) {
        // Later entries win: the URL overrides the first two, and nothing overrides the last.
        let names = ["connect_timeout", "fallback_application_name", "dbname", "client_encoding"]
        let values = ["\(seconds)", "swift-multi-identity", url, "UTF8"]
        let opened = withCStrings(names) { names in withCStrings(values) { PQconnectdbParams(names, $0, 1) } }
        guard let opened else { throw .cannotConnect("out of memory") }
        guard PQstatus(opened) == CONNECTION_OK, PQsetnonblocking(opened, 1) == 0, PQenterPipelineMode(opened) == 1,
            let cancel = PQgetCancel(opened)
        else {
            defer { PQfinish(opened) }
            throw .cannotConnect(String(cString: PQerrorMessage(opened)))
        }
        // Otherwise libpq writes notices to standard error.
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
        handle = opened
        canceller = PostgreSQLCanceller(cancel)
        self.cancellationLimit = cancellationLimit
    }

    deinit { PQfinish(handle) }

    /// Throws if a URL is not valid; the error does not repeat it, since it can contain a password.
    static func check(_ url: String) throws(PostgreSQLError) {
        var message: UnsafeMutablePointer<CChar>?
        guard !url.isEmpty, !url.utf8.contains(0), let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            throw PostgreSQLError(
                .badURL,
                "The database URL is not valid. Write postgresql://role@host/database, with %-codes for special characters."
            )
        }
        PQconninfoFree(options)
    }

    /// Announces an exchange, so that it can be interrupted; no other one may be in progress.
    ///
    /// - Parameter isInterruptible: Whether the server may be asked to stop: not at a commit, whose outcome only the answer
    ///   shows.
    func announce(isInterruptible: Bool) {
        state.withLock { state in
            state.number += 1
            (state.isUnderWay, state.isInterruptible, state.interruption) = (true, isInterruptible, nil)
        }
    }

    /// Sends statements and waits for the answers, on a connection that one thread uses.
    package func run(_ statements: [PostgreSQLStatement], within limit: Duration) throws(PostgreSQLError) -> Answers {
        announce(isInterruptible: false)
        return try exchange(statements, within: limit)
    }

    /// Sends the statements of the announced exchange, and waits for the answers.
    ///
    /// - Throws: ``PostgreSQLError`` if there is no answer; the connection cannot be used afterwards.
    func exchange(_ statements: [PostgreSQLStatement], within limit: Duration) throws(PostgreSQLError) -> Answers {
        var (answers, patience) = (Answers(), Patience(end: .now + limit))
        do {
            try send(statements, &patience)
            while try !receive(&answers, &patience) {}
        } catch {
            end()
            // The server's last answer is the better reason.
            guard let last = answers.refusal else { throw error }
            throw PostgreSQLError(error.code, "The connection was lost: \(last.message).", sqlState: last.sqlState)
        }
        answers.interruption = end()
        return answers
    }

    /// Marks the connection as not busy, and returns what interrupted it: in one step, so that no interruption is missed.
    @discardableResult
    private func end() -> Interruption? {
        state.withLock { state in
            state.isUnderWay = false
            return state.interruption
        }
    }

    private func send(_ statements: [PostgreSQLStatement], _ patience: inout Patience) throws(PostgreSQLError) {
        for statement in statements {
            guard statement.queue(on: handle) else { throw .lost(handle) }
        }
        guard PQpipelineSync(handle) == 1 else { throw .lost(handle) }
        while case let left = PQflush(handle), left != 0 {
            guard left == 1 else { throw .lost(handle) }
            try waitFor(POLLIN | POLLOUT, &patience)
        }
    }

    /// Receives one answer; returns whether it was the last.
    private func receive(_ answers: inout Answers, _ patience: inout Patience) throws(PostgreSQLError) -> Bool {
        while PQisBusy(handle) == 1 { try waitFor(POLLIN, &patience) }
        guard let pointer = PQgetResult(handle) else {
            // Nothing comes between the answers to two statements.
            if PQstatus(handle) == CONNECTION_BAD { throw .lost(handle) }
            return false
        }
        defer { PQclear(pointer) }
        switch PQresultStatus(pointer) {
        case PGRES_PIPELINE_SYNC: return true
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            answers.results.append(PostgreSQLResult(copying: pointer))
        case PGRES_PIPELINE_ABORTED: break  // follows one that failed
        default: answers.refusal = answers.refusal ?? .server(pointer)
        }
        return false
    }

    /// The time limit for an answer; `nil` once the server was asked to stop, or the connection cut.
    private struct Patience { var end: ContinuousClock.Instant? }

    /// Waits until the socket is ready, and reads what has arrived.
    private func waitFor(_ events: Int32, _ patience: inout Patience) throws(PostgreSQLError) {
        if !isReady(events, until: patience.end) {
            patience.end = nil
            if !interrupt(.timedOut) { cut() }
        } else if PQconsumeInput(handle) == 0 {
            throw .lost(handle)
        }
    }

    /// Returns whether the socket is ready before a deadline.
    private func isReady(_ events: Int32, until end: ContinuousClock.Instant?) -> Bool {
        var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        while true {
            let left = end.map { $0 - .now }
            let wait = left.map { Int32(clamping: Int64(max(0, min(1e9, ($0 / .milliseconds(1)).rounded(.up))))) }
            let count = poll(&socket, 1, wait ?? -1)
            if count > 0 { return true }
            if let left, left <= .zero { return false }
        }
    }

    /// True if no transaction is open.
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// True if the server, or the network, has ended the connection while it was idle.
    var wasLost: Bool {
        while isReady(POLLIN, until: .now) {
            // Anything else is a notice or similar, which the next exchange handles.
            if PQconsumeInput(handle) == 0 { return true }
        }
        return PQstatus(handle) == CONNECTION_BAD
    }

    /// Waits for notifications, and returns their payloads; `nil` once the connection is lost or closed.
    package func notifications() -> [String]? {
        guard isReady(POLLIN, until: nil), PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else {
            return nil
        }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }
}

// For any thread.
extension PostgreSQLWire {
    /// Asks the server to stop the exchange in progress, and cuts the connection if it does not.
    ///
    /// - Returns: Whether there was something to stop, or about to be.
    @discardableResult
    func interrupt(_ interruption: Interruption) -> Bool {
        let asked = state.withLock { state -> UInt64? in
            guard state.isUnderWay, state.isInterruptible, state.interruption == nil else { return nil }
            state.interruption = interruption
            return state.number
        }
        guard let asked else { return false }
        let queue = DispatchQueue.global()
        queue.async { [canceller] in canceller.cancel() }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(cancellationLimit / .nanoseconds(1)))) { [weak self] in
            guard let self, state.withLock({ $0.isUnderWay && $0.number == asked }) else { return }
            cut()
        }
        return true
    }

    /// The reason why the exchange was interrupted.
    var interruption: Interruption? { state.withLock { $0.interruption } }

    /// Ends the connection; an exchange that waits for an answer fails.
    package func cut() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        // The socket's number stays reserved until libpq closes it together with this object.
        if isFirst { shutdown(PQsocket(handle), Int32(SHUT_RDWR)) }
    }
}

/// The right to cancel what a connection runs.
///
/// Unchecked, since a pointer is not Sendable: libpq allows PQcancel from any thread, and PQcancel does not change the object.
private final class PostgreSQLCanceller: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQfreeCancel(pointer) }

    /// Asks the server over a separate connection; the answer shows whether it stopped.
    func cancel() {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = PQcancel(pointer, message.baseAddress, 256)
        }
    }
}
