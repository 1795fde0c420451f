// Its sources are safe to use from any thread, and its module does not say so on Linux.
@preconcurrency import Dispatch
import Synchronization

/// A connection to Redis: answers come in the order of the requests, and nothing else says which request an answer is for.
///
/// So a request that is cut off, as by cancellation, closes the connection: its answer is still to come, and would be taken for
/// that of the next request.
public final class RedisConnection: Sendable {
    private struct State {
        var parser = RedisParser()
        /// Answers that nobody has asked for yet.
        var answers: [RedisValue] = []
        var waiter: CheckedContinuation<RedisValue, any Error>?
        var unwritten: ArraySlice<UInt8> = []
        var writing: (any DispatchSourceWrite)?
        var failure: RedisError?
    }

    /// The number of the connection, in this process.
    public let number: Int
    private let socket: RedisSocket
    private let queue: DispatchQueue
    private let reading: any DispatchSourceRead
    private let state = Mutex(State())
    private static let last = Atomic(0)

    private init(_ socket: RedisSocket) {
        number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue
        self.socket = socket
        queue = DispatchQueue(label: "redis connection \(number)")
        reading = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        reading.setEventHandler { [weak self] in self?.read() }
        // The descriptor stays open for as long as Dispatch watches it.
        reading.setCancelHandler { withExtendedLifetime(socket) {} }
        reading.activate()
    }

    deinit { close() }

    /// Connects to a server on this machine.
    ///
    /// - Parameters:
    ///   - port: The server's port.
    ///   - milliseconds: The longest time that this takes.
    /// - Returns: The connection, as the server's `default` user.
    /// - Throws: ``RedisError``.
    public static func open(port: UInt16, milliseconds: Int32 = 2_000) async throws -> RedisConnection {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { RedisConnection(try RedisSocket.connected(to: port, milliseconds: milliseconds)) }
                )
            }
        }
    }

    /// Closes the connection; who waits for an answer is notified.
    public func close() { fail(.closed(reason: "it was closed here")) }

    /// Sends a command, and gives its answer; cut off in between, the connection is closed.
    ///
    /// - Parameter command: The command and its arguments.
    /// - Returns: The answer.
    /// - Throws: ``RedisError``; `CancellationError`.
    @discardableResult
    public func send(_ command: String...) async throws -> RedisValue {
        try Self.refuseReserved([command])
        guard let answer = try await exchange([command]).first else {
            throw RedisError.closed(reason: "no answer came")
        }
        if case .error(let words) = answer { throw RedisError.refused(words) }
        return answer
    }

    /// Sends commands at once, and gives their answers in order; refusals are among them.
    ///
    /// - Parameter commands: The commands, each with its arguments.
    /// - Returns: The answers.
    /// - Throws: ``RedisError``; `CancellationError`.
    public func send(all commands: [[String]]) async throws -> [RedisValue] {
        try Self.refuseReserved(commands)
        return try await exchange(commands)
    }

    /// Those that change the connection's user, and those after which it is not true that each request has one answer.
    private static let reserved: Set<String> = [
        "AUTH", "HELLO", "RESET", "QUIT", "MONITOR", "SYNC", "PSYNC", "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE",
        "CLIENT REPLY",
    ]

    private static func refuseReserved(_ commands: [[String]]) throws(RedisError) {
        for command in commands {
            let words = command.prefix(2).map { $0.uppercased() }
            for name in [words.first ?? "", words.joined(separator: " ")] where reserved.contains(name) {
                throw .reserved(command: name)
            }
        }
    }

    /// Sends commands at once, of whatever kind, and waits for as many answers.
    func exchange(_ commands: [[String]]) async throws -> [RedisValue] {
        do {
            try write(commands)
            var answers: [RedisValue] = []
            for _ in commands { answers.append(try await nextAnswer()) }
            return answers
        } catch {
            fail(.closed(reason: "a request was cut off: \(error)"))
            throw error
        }
    }

    /// Writes requests, and waits for nothing.
    func write(_ commands: [[String]]) throws(RedisError) {
        let bytes = commands.flatMap(Self.encoded)
        let failure = state.withLock { state -> RedisError? in
            if state.failure == nil { state.unwritten += bytes }
            return state.failure
        }
        if let failure { throw failure }
        flush()
    }

    /// Waits for the next answer, whosever request it is to.
    ///
    /// Cancelled, it leaves the answer to the next caller, as a socket does.
    func nextAnswer() async throws -> RedisValue {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<RedisValue, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.answers.isEmpty { return .success(state.answers.removeFirst()) }
                    if let failure = state.failure { return .failure(failure) }
                    if state.waiter != nil { return .failure(RedisError.usedAtOnce) }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            takeWaiter()?.resume(throwing: CancellationError())
        }
    }

    private func takeWaiter() -> CheckedContinuation<RedisValue, any Error>? {
        state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
    }

    private static func encoded(_ command: [String]) -> [UInt8] {
        var bytes = Array("*\(command.count)\r\n".utf8)
        for part in command { bytes += Array("$\(part.utf8.count)\r\n".utf8) + Array(part.utf8) + [13, 10] }
        return bytes
    }

    private func read() {
        do {
            while let chunk = try socket.read() {
                if chunk.isEmpty { throw RedisError.closed(reason: "the server closed it") }
                try deliver(chunk)
            }
        } catch let error as RedisError { fail(error) } catch { fail(.closed(reason: "\(error)")) }
    }

    private func deliver(_ chunk: [UInt8]) throws {
        try state.withLock { state in
            state.parser.append(chunk)
            while let message = try state.parser.next() {
                if case .answer(let answer) = message { state.answers.append(answer) }
            }
        }
        let ready = state.withLock { state -> (CheckedContinuation<RedisValue, any Error>, RedisValue)? in
            guard let waiter = state.waiter, !state.answers.isEmpty else { return nil }
            state.waiter = nil
            return (waiter, state.answers.removeFirst())
        }
        if let (waiter, answer) = ready { waiter.resume(returning: answer) }
    }

    private func flush() {
        do {
            try state.withLock { state throws(RedisError) in
                while !state.unwritten.isEmpty {
                    let count = try socket.write(state.unwritten)
                    state.unwritten = state.unwritten.dropFirst(count)
                    if count == 0 { break }
                }
                if state.unwritten.isEmpty {
                    state.writing?.cancel()
                    state.writing = nil
                } else if state.writing == nil {
                    state.writing = makeWriting()
                }
            }
        } catch { fail(error) }
    }

    /// Goes on writing once there is room.
    private func makeWriting() -> any DispatchSourceWrite {
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.flush() }
        source.setCancelHandler { [socket] in withExtendedLifetime(socket) {} }
        source.activate()
        return source
    }

    private func fail(_ failure: RedisError) {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<RedisValue, any Error>?) in
            let isFirst = state.failure == nil
            if isFirst { state.failure = failure }
            state.answers = []
            state.unwritten = []
            state.writing?.cancel()
            state.writing = nil
            defer { state.waiter = nil }
            return (isFirst, state.waiter)
        }
        if isFirst {
            socket.end()
            reading.cancel()
        }
        waiter?.resume(throwing: failure)
    }
}
