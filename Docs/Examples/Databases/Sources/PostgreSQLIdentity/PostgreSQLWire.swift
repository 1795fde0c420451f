import CPostgreSQL
import Dispatch
import Synchronization

/// A connection's socket: sends statements in one go, waits for the answers on no thread, and knows what it does not know.
///
/// All of libpq's calls on the connection are made under one lock, and none of them blocks.
final class PostgreSQLWire: Sendable {
    struct State {
        let handle: OpaquePointer
        var flight: PostgreSQLFlight?
        /// Why the connection is of no more use.
        var failure: PostgreSQLError?
        /// The number of the lease, counted up at each.
        var turn: UInt64 = 0
        /// The parts that the next statement has to take along.
        var owed: OwedBeginning?
        var isClosed = false
        /// The moment that the timer is set to.
        var alarm = UInt64.max
        var isWriting = false
    }

    let state: Mutex<State>
    let canceller: PostgreSQLCanceller
    let cancellationLimit: UInt64

    /// Connects, and blocks the thread meanwhile: libpq looks names up so in any case.
    init(_ url: String, cancellationLimit: Duration) throws(PostgreSQLError) {
        let handle = try PostgreSQLConnecting.connect(url)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1, let cancel = PQgetCancel(handle)
        else {
            defer { PQfinish(handle) }
            throw .cannotConnect(String(cString: PQerrorMessage(handle)))
        }
        canceller = PostgreSQLCanceller(cancel)
        self.cancellationLimit = cancellationLimit.nanoseconds
        let socket = PQsocket(handle)
        state = Mutex(State(handle: handle))
        do { try SocketWatch.shared.add(self, socket) } catch {
            close(because: error)
            throw error
        }
    }

    /// Sends what the socket did not take before.
    func write() {
        let isLost = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            let left = PQflush(state.handle)
            setWriting(left == 1, &state)
            return left < 0
        }
        if isLost { lose() }
    }

    /// Has `write` called once the socket takes more, or no longer.
    func setWriting(_ isWriting: Bool, _ state: inout State) {
        guard isWriting != state.isWriting else { return }
        state.isWriting = isWriting
        SocketWatch.shared.watchForWriting(self, isWriting)
    }

    /// Closes the connection, and fails what waits with an error.
    func close(because failure: PostgreSQLError) {
        let (isFirst, flight) = state.withLock { state -> (Bool, PostgreSQLFlight?) in
            guard !state.isClosed else { return (false, nil) }
            state.isClosed = true
            if state.failure == nil { state.failure = failure }
            state.owed = nil
            SocketWatch.shared.remove(self)
            PQfinish(state.handle)
            return (true, state.flight.take())
        }
        guard isFirst else { return }
        flight?.fail(failure)
    }

    /// Closes the connection that the server, or the network, has let go of.
    func lose() {
        let message = state.withLock { $0.isClosed ? "" : String(cString: PQerrorMessage($0.handle)) }
        close(
            because: PostgreSQLError(
                .connectionLost,
                "The connection was lost: \(message.trimmed). Try the transaction again."
            )
        )
    }
}

/// The right to cancel what a connection runs.
///
/// Sendable though a pointer is not: libpq allows PQcancel from any thread, and it changes nothing of what the pointer leads to.
final class PostgreSQLCanceller: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQfreeCancel(pointer) }

    /// Asks the server, over a connection of its own, and does not wait for that here.
    func cancel() {
        DispatchQueue.global().async { [self] in
            // Whether it was heard shows in the answer; that it was not, in the limit.
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
                _ = PQcancel(pointer, message.baseAddress, 256)
            }
        }
    }
}

extension Duration {
    /// In whole nanoseconds; what is too long for that is some 200 years.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        return UInt64(min(seconds, 6_000_000_000)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
    }
}

extension String {
    package var trimmed: String {
        let lines = split(whereSeparator: \.isNewline)
        return lines.joined(separator: "; ")
    }
}
