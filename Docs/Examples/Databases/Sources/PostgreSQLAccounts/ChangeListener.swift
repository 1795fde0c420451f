import CPostgreSQL
import Dispatch
import PostgreSQLIdentity
import Synchronization

/// A connection that listens, and is opened anew where it is lost.
///
/// All of it is on one serial queue: libpq's calls, and what is called.
final class ChangeListener: Sendable {
    private struct State {
        var connection: ListeningConnection?
        var hasEnded = false
    }

    private let url: String
    private let channel: String
    private let ownName: String
    private let changed: @Sendable () -> Void
    private let queue = DispatchQueue(label: "multi-identity.account-changes")
    private let state = Mutex(State())
    private static let pause = DispatchTimeInterval.seconds(1)

    /// Begins to listen, in the background.
    ///
    /// `except`: The payload of notifications that are passed over: the listener's own store's.
    init(_ url: String, to channel: String, except ownName: String, _ changed: @escaping @Sendable () -> Void) {
        self.url = url
        self.channel = channel
        self.ownName = ownName
        self.changed = changed
        queue.async { [weak self] in self?.connect() }
    }

    /// Closes the connection; what is being called may go on.
    func end() {
        let connection = state.withLock { state in
            state.hasEnded = true
            return state.connection.take()
        }
        connection?.cancel()
    }

    private func connect() {
        if state.withLock({ $0.hasEnded }) { return }
        let connection: ListeningConnection
        do throws(PostgreSQLError) {
            connection = try ListeningConnection(url, channel, on: queue) { [weak self] in self?.received($0) }
        } catch {
            return connectLater()
        }
        let isLate = state.withLock { state in
            if !state.hasEnded { state.connection = connection }
            return state.hasEnded
        }
        if isLate { return connection.cancel() }
        // What came before it listened, and while it did not, was missed.
        changed()
    }

    private func connectLater() {
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.connect() }
    }

    private func received(_ payloads: [String]?) {
        if let payloads {
            if payloads.contains(where: { $0 != ownName }) { changed() }
        } else if let lost = state.withLock({ $0.connection.take() }) {
            lost.cancel()
            connectLater()
        }
    }
}

/// A connection that has been set to listen.
///
/// Unchecked: nothing changes after the initializer, and libpq's calls on the pointer are made on the listener's serial queue alone.
private final class ListeningConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let source: any DispatchSourceRead

    /// Calls `received` on the queue with the payloads that came, and with `nil` once it is lost, until it is cancelled.
    init(
        _ url: String,
        _ channel: String,
        on queue: DispatchQueue,
        _ received: @escaping @Sendable ([String]?) -> Void
    ) throws(PostgreSQLError) {
        let handle = try PostgreSQLConnecting.connect(url)
        let result = PQexec(handle, "LISTEN \(channel)")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            defer { PQfinish(handle) }
            throw .cannotConnect(String(cString: PQerrorMessage(handle)))
        }
        self.handle = handle
        source = DispatchSource.makeReadSource(fileDescriptor: PQsocket(handle), queue: queue)
        source.setEventHandler { [self] in received(payloads()) }
        // Its descriptor may be closed once the source has let go of it, and no earlier.
        source.setCancelHandler { [self] in PQfinish(self.handle) }
        source.activate()
    }

    func cancel() { source.cancel() }

    private func payloads() -> [String]? {
        guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { return nil }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }
}
