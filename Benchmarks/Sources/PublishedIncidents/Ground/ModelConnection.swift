import MultiIdentity
import MultiIdentityLease
import Synchronization

/// A connection to a server, as far as it knows users: a model of a database's, of a cache's, of a web server's.
final class ModelConnection: Sendable {
    private struct State {
        var session: Identity?
        var unread: [Identity?] = []
    }

    private let state = Mutex(State())

    /// The setting of the session: the owner of the rows that a query sees.
    var session: Identity? {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    /// Is who it was first from then on, as where a connection is authenticated and not a request.
    func authenticate(as user: Identity) { state.withLock { $0.session = $0.session ?? user } }

    /// Sends a question; the answer is that user's.
    func ask(as user: Identity?) { state.withLock { $0.unread.append(user) } }

    /// Reads the oldest answer, and says its owner.
    func read() -> Identity? { state.withLock { $0.unread.isEmpty ? nil : $0.unread.removeFirst() } }
}

extension ModelConnection {
    static func pool(_ limits: LeasePoolLimits) -> LeasePool<ModelConnection> {
        LeasePool(limits) {
            ModelConnection()
        } close: { _ in
        }
    }
}

extension LeaseBinding<ModelConnection> {
    /// By a setting of the session.
    static let session = LeaseBinding(
        bind: { $0.session = $1 },
        clear: { $0.session = nil },
        verify: { $0.session }
    )

    /// By authenticating, which nothing takes back.
    static let authentication = LeaseBinding(
        bind: { $0.authenticate(as: $1) },
        clear: { _ in },
        verify: { $0.session }
    )
}

/// A pool of one connection; it knows nothing of users.
final class PlainPool: Sendable {
    private let idle: Mutex<[ModelConnection]>

    init(_ connection: ModelConnection) { idle = Mutex([connection]) }

    func take() -> ModelConnection { idle.withLock { $0.popLast() ?? ModelConnection() } }

    func giveBack(_ connection: ModelConnection) { idle.withLock { $0.append(connection) } }
}
