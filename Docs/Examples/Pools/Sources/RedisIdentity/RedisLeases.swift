public import MultiIdentity
public import MultiIdentityLease

/// The user as which an identity works on the server: an entry of its access control list.
public struct RedisUser: Sendable {
    /// The name.
    public let name: String
    /// The password.
    public let password: String

    /// A user of the server.
    public init(name: String, password: String) {
        self.name = name
        self.password = password
    }
}

/// Leases of connections to Redis, each as the server's own user for its lessee.
///
/// Bound by `AUTH`, cleared by `RESET`, which ends a transaction, subscriptions and tracking as well, and verified by `ACL WHOAMI`: so
/// it is the server that keeps one identity's keys from another. Its `default` user may do nothing else.
public enum RedisLeases: Sendable {
    /// A pool of connections, and leases of it.
    ///
    /// - Parameters:
    ///   - port: The server's port, on this machine.
    ///   - limits: How many connections there are, and how long anybody waits for one.
    ///   - settings: What else is to hold for a lease.
    ///   - user: The server's user for an identity; not asked for nobody, who stays `default`.
    /// - Returns: Both.
    public static func make(
        port: UInt16,
        limits: LeasePoolLimits,
        settings: LeaseSettings = LeaseSettings(),
        user: @escaping @Sendable (Identity) async throws -> RedisUser
    ) -> (pool: LeasePool<RedisConnection>, leases: IdentityLease<RedisConnection>) {
        let pool = LeasePool<RedisConnection>(
            limits,
            open: { () async throws -> RedisConnection in try await RedisConnection.open(port: port) },
            close: { $0.close() },
            interrupt: { $0.close() }
        )
        return (pool, IdentityLease(of: pool, binding: binding(user: user), settings: settings))
    }

    /// The binding by itself, for a pool of another kind.
    ///
    /// - Parameter user: The server's user for an identity; not asked for nobody.
    /// - Returns: The binding.
    public static func binding(
        user: @escaping @Sendable (Identity) async throws -> RedisUser
    ) -> LeaseBinding<RedisConnection> {
        LeaseBinding(
            bind: { connection, identity in
                if identity.isNobody { return }
                try await connection.bind(try await user(identity))
            },
            clear: { connection in try await connection.expect("RESET", ["RESET"]) },
            verify: { connection in
                guard let name = try await connection.exchange([["ACL", "WHOAMI"]]).first?.text else {
                    throw unanswered
                }
                return name == "default" ? nil : try Identity(name)
            },
            transactions: LeaseTransactions { connection, step in
                switch step {
                case .begin: try await connection.expect("OK", ["MULTI"])
                case .commit:
                    if case .error(let words) = try await connection.exchange([["EXEC"]]).first {
                        throw RedisError.refused(words)
                    }
                case .rollback: try await connection.expect("OK", ["DISCARD"])
                case .savepoint, .release, .rollbackTo: throw RedisError.refused("a transaction inside another one")
                }
            }
        )
    }

    private static let unanswered = RedisError.malformed("no name of a user")
}

extension RedisConnection {
    /// Makes this a connection of a user's, for good: for those that are not leased.
    ///
    /// - Parameter user: The user.
    /// - Throws: ``RedisError``, and closes the connection; `CancellationError`.
    public func bind(_ user: RedisUser) async throws { try await expect("OK", ["AUTH", user.name, user.password]) }

    /// Sends a command that has this one answer; with another one, the connection is out of step, or refused, and of no use.
    func expect(_ word: String, _ command: [String]) async throws {
        let answer = try await exchange([command]).first ?? .nothing
        if answer == .word(word) { return }
        close()
        if case .error(let words) = answer { throw RedisError.refused(words) }
        throw RedisError.unexpected(answer)
    }
}
