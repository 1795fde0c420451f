import MultiIdentity
import MultiIdentityLease
import Synchronization

/// A model of a connection to a server, as far as users matter: of a database, a cache, a web server.
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

    /// Keeps the first user from then on, as when a connection is authenticated rather than a request.
    func authenticate(as user: Identity) { state.withLock { $0.session = $0.session ?? user } }

    /// Sends a request; the answer belongs to that user.
    func ask(as user: Identity?) { state.withLock { $0.unread.append(user) } }

    /// Reads the oldest answer, and returns its owner.
    func read() -> Identity? { state.withLock { $0.unread.isEmpty ? nil : $0.unread.removeFirst() } }
}

extension ModelConnection {
    static func pool(_ limits: PoolLimits) -> ResourcePool<ModelConnection> {
        ResourcePool(limits) {
            ModelConnection()
        } close: { _ in
        }
    }
}

extension LeaseBinding<ModelConnection> {
    /// Binds with a setting of the session.
    static let session = LeaseBinding(
        bind: { $0.session = $1 },
        clear: { $0.session = nil },
        verify: { $0.session }
    )

    /// Binds by authenticating, which cannot be undone.
    static let authentication = LeaseBinding(
        bind: { $0.authenticate(as: $1) },
        clear: { _ in },
        verify: { $0.session }
    )
}

/// A pool of one connection without knowledge of users.
final class PlainPool: Sendable {
    private let idle: Mutex<[ModelConnection]>

    init(_ connection: ModelConnection) { idle = Mutex([connection]) }

    func take() -> ModelConnection { idle.withLock { $0.popLast() ?? ModelConnection() } }

    func giveBack(_ connection: ModelConnection) { idle.withLock { $0.append(connection) } }
}
