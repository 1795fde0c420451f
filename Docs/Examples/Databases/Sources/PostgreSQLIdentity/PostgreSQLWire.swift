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
        /// What the next statement has to take along.
        var owed: OwedBeginning?
        var isClosed = false
        /// The moment that the timer is set to.
        var alarm = UInt64.max
        let timer: any DispatchSourceTimer
        let reader: any DispatchSourceRead
        var writer: (any DispatchSourceWrite)?
    }

    let state: Mutex<State>
    let canceller: PostgreSQLCanceller
    let cancellationLimit: UInt64
    let queue = DispatchQueue(label: "postgresql")
    /// Those that watch the socket, which must not be closed under them.
    private let watching = DispatchGroup()

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
        state = Mutex(
            State(
                handle: handle,
                timer: DispatchSource.makeTimerSource(queue: queue),
                reader: DispatchSource.makeReadSource(fileDescriptor: PQsocket(handle), queue: queue)
            )
        )
        watch()
    }

    private func watch() {
        watching.enter()
        state.withLock { state in
            state.timer.setEventHandler { [weak self] in self?.timeIsUp() }
            state.timer.activate()
            state.reader.setEventHandler { [weak self] in self?.receive() }
            state.reader.setCancelHandler { [watching] in watching.leave() }
            state.reader.activate()
        }
    }

    /// Waits until the socket takes more.
    func watchForWriting(_ state: inout State) {
        guard state.writer == nil else { return }
        let writer = DispatchSource.makeWriteSource(fileDescriptor: PQsocket(state.handle), queue: queue)
        state.writer = writer
        watching.enter()
        writer.setEventHandler { [weak self] in self?.write() }
        writer.setCancelHandler { [watching] in watching.leave() }
        writer.activate()
    }

    private func write() {
        let isLost = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            let left = PQflush(state.handle)
            if left != 1 { state.writer.take()?.cancel() }
            return left < 0
        }
        if isLost { lose() }
    }

    /// Closes the connection, and fails what waits with an error.
    func close(because failure: PostgreSQLError) {
        let (isFirst, flight) = state.withLock { state -> (Bool, PostgreSQLFlight?) in
            guard !state.isClosed else { return (false, nil) }
            state.isClosed = true
            if state.failure == nil { state.failure = failure }
            state.owed = nil
            state.writer.take()?.cancel()
            state.reader.cancel()
            state.timer.cancel()
            return (true, state.flight.take())
        }
        guard isFirst else { return }
        // The wire lives until then: nobody else frees the connection.
        watching.notify(queue: queue) { self.state.withLock { PQfinish($0.handle) } }
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
    var trimmed: String {
        let lines = split(whereSeparator: \.isNewline)
        return lines.joined(separator: "; ")
    }
}
