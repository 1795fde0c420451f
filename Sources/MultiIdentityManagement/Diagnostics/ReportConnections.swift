internal import CSystemCalls
internal import Dispatch

/// The connections of a report socket; beyond the maximum, they wait in the listener's backlog.
///
/// Safe: all of it runs on the queue of the source.
final class ReportConnections: @unchecked Sendable {
    private let listener: CInt
    private let source: any DispatchSourceRead
    private let queue: DispatchQueue
    private let bounds: ReportSocket.Bounds
    private let report: @Sendable () async -> [UInt8]
    private var count = 0
    private var isPaused = false

    init(
        at listener: CInt,
        _ source: any DispatchSourceRead,
        on queue: DispatchQueue,
        within bounds: ReportSocket.Bounds,
        _ report: @escaping @Sendable () async -> [UInt8]
    ) {
        self.listener = listener
        self.source = source
        self.queue = queue
        self.bounds = bounds
        self.report = report
    }

    /// Accepts waiting connections.
    func accept() {
        while count < bounds.connections {
            let connection = sys_accept(listener)
            if connection == -EWOULDBLOCK || connection == -ECONNABORTED { return }
            if connection < 0 {
                // No descriptor is left. The connection keeps waiting, so the source would fire again at once.
                pause()
                return queue.asyncAfter(deadline: .now() + .seconds(1)) { self.resume() }
            }
            guard ReportSocket.isOurs(connection) else {
                sys_close(connection)
                continue
            }
            answer(connection)
        }
        pause()
    }

    private func answer(_ connection: CInt) {
        count += 1
        let answer = ReportAnswer(to: connection, on: queue) {
            self.count -= 1
            self.resume()
        }
        queue.asyncAfter(deadline: .now() + bounds.time) { answer.end() }
        Task.detached { [queue, report] in
            let bytes = await report()
            queue.async { answer.send(bytes) }
        }
    }

    private func pause() {
        if isPaused { return }
        isPaused = true
        source.suspend()
    }

    private func resume() {
        guard isPaused else { return }
        isPaused = false
        source.resume()
    }
}

/// The answer to one connection, which is written as fast as it is read.
///
/// Safe: all of it runs on the queue of the socket.
private final class ReportAnswer: @unchecked Sendable {
    private let source: any DispatchSourceWrite
    private var rest: ArraySlice<UInt8> = []

    init(to connection: CInt, on queue: DispatchQueue, ended: @escaping () -> Void) {
        source = DispatchSource.makeWriteSource(fileDescriptor: connection, queue: queue)
        source.setEventHandler { self.send(to: connection) }
        source.setCancelHandler {
            sys_close(connection)
            ended()
        }
    }

    func send(_ bytes: [UInt8]) {
        rest = bytes[...]
        source.activate()
    }

    /// Closes the connection, if it is open.
    func end() {
        rest = []
        source.cancel()
        // A source that was never activated does not run its cancel handler.
        source.activate()
    }

    private func send(to connection: CInt) {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sys_send(connection, $0.baseAddress, $0.count) }
            if count == -Int(EWOULDBLOCK) { return }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        end()
    }
}
