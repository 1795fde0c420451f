import MultiIdentity
import Synchronization

/// A connection to a server, as far as it knows users: a model of a database's, of a cache's, of a web server's.
final class ModelConnection: Sendable {
    private struct State {
        var session: Identity?
        var transaction: Identity?
        var unread: [Identity?] = []
    }

    private let state = Mutex(State())

    /// The setting of the session.
    var session: Identity? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    /// The setting of the transaction, which goes before.
    var transaction: Identity? {
        get { state.withLock { $0.transaction } }
        set { state.withLock { $0.transaction = newValue } }
    }

    /// Whose rows a query sees.
    var answer: Identity? { state.withLock { $0.transaction ?? $0.session } }

    /// Is who it was first from then on, as where a connection is authenticated and not a request.
    func authenticate(as user: Identity) { state.withLock { $0.session = $0.session ?? user } }

    /// Sends a question; the answer is that user's.
    func ask(as user: Identity?) { state.withLock { $0.unread.append(user) } }

    /// Reads the oldest answer, and says whose it is.
    func read() -> Identity? { state.withLock { $0.unread.isEmpty ? nil : $0.unread.removeFirst() } }
}

/// A client of a pooler: its transactions go to whatever connection of the server is free, here always the same.
final class PooledClient: Sendable {
    let server: ModelConnection

    init(of server: ModelConnection) { self.server = server }

    func connect(as user: Identity) { server.session = user }

    func query() -> Identity? { server.answer }

    /// A query in a transaction of its own, which is bound to whoever is current.
    func queryInTransaction() -> Identity? {
        server.transaction = Identity.current ?? .nobody
        defer { server.transaction = nil }
        return server.answer
    }
}

/// A pool of one connection; it knows nothing of users.
final class PlainPool: Sendable {
    private let idle: Mutex<[ModelConnection]>

    init(_ connection: ModelConnection) { idle = Mutex([connection]) }

    func take() -> ModelConnection { idle.withLock { $0.popLast() ?? ModelConnection() } }

    func giveBack(_ connection: ModelConnection) { idle.withLock { $0.append(connection) } }
}
