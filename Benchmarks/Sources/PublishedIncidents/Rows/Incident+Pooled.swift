import MultiIdentity
import MultiIdentityLease

extension Incident {
    static let pooled = [sessionSetting, transactionPooler, cancelledAnswer, authenticatedConnection]

    private static let sessionSetting = Incident(
        name: "session-setting",
        title: "A pooled connection with a session setting",
        symptom: "a query that sets no user now and then returns rows, of one who was there before",
        kind: .pooled,
        references: [.issue("tediousjs/node-mssql", 1483), .issue("ujeenet/rustango", 1224)],
        mechanism: """
            Row-level security looks at a setting of the session. A request sets it and gives the connection back; the next \
            one that is given that connection, and sets nothing, is the last user to the database.
            """,
        model: "The database is an object that knows as whom its session is.",
        lesson: "A connection is bound before its user sees it, and comes back clean or not at all.",
        keeper: Keeper("`IdentityLease`", see: "Leases.md#a-pool-a-binding-a-lease"),
        asPublished: {
            let pool = PlainPool(ModelConnection())
            let connection = pool.take()
            connection.session = Users.ada
            pool.giveBack(connection)
            return [Sighting("a query without a user", of: .nobody, saw: pool.take().answer)]
        },
        withPackage: {
            var settings = LeaseSettings()
            settings.withoutIdentity = .asNobody
            let leases = IdentityLease(of: ModelConnection.pool(1), binding: .session, settings: settings)
            _ = try withIdentity(Users.ada) { try leases.withLeaseBlocking { try $0.use(\.answer) } }
            let seen = try leases.withLeaseBlocking { lease in try lease.use(\.answer) }
            return [Sighting("a query without a user", of: .nobody, saw: seen)]
        }
    )

    private static let transactionPooler = Incident(
        name: "transaction-pooler",
        title: "PgBouncer, and a setting of the session",
        symptom: "behind a pooler a tenant sees another's rows, and no error anywhere",
        kind: .pooled,
        references: [.issue("rails-on-services/apartment", 470), .issue("shiftcommerce/penthouse", 5)],
        mechanism: """
            Each client sets its tenant once, when it connects. The pooler gives clients a server's connection for the length \
            of a transaction: the setting stays there, and the last one that was made holds for all.
            """,
        model: "The pooler is one connection that its clients share, one transaction after another.",
        lesson: "What holds for a transaction is set in the transaction. A session is not the client's.",
        keeper: Keeper("`IdentityLease`, bound in the transaction", see: "Leases.md#transactions"),
        asPublished: {
            let server = ModelConnection()
            let (first, second, third) = (
                PooledClient(of: server), PooledClient(of: server), PooledClient(of: server)
            )
            first.connect(as: Users.ada)
            second.connect(as: Users.bea)
            return pooling(saw: first.query(), third.query())
        },
        withPackage: {
            let server = ModelConnection()
            var settings = LeaseSettings()
            settings.withoutIdentity = .asNobody
            let pool = LeasePool(2) {
                PooledClient(of: server)
            } close: { _ in
            }
            let leases = IdentityLease(of: pool, binding: .transaction, settings: settings)
            let query: @Sendable () throws -> Identity? = {
                try leases.withLeaseBlocking { lease in
                    try lease.withTransactionBlocking { try lease.use { $0.query() } }
                }
            }
            let seen = try withIdentity(Users.ada) {
                try leases.withLeaseBlocking { lease in
                    _ = try withIdentity(Users.bea, query)  // Bea's comes between, on the same connection of the server
                    return try lease.withTransactionBlocking { try lease.use { $0.query() } }
                }
            }
            return pooling(saw: seen, try query())
        }
    )

    private static func pooling(saw adas: Identity?, _ unset: Identity?) -> [Sighting] {
        [
            Sighting("Ada's query", of: Users.ada, saw: adas),
            Sighting("the query of a new client, which has set nothing,", of: .nobody, saw: unset),
        ]
    }

    private static let cancelledAnswer = Incident(
        name: "cancelled-answer",
        title: "The answer to a cancelled request",
        symptom: "after a time-out or under load, an answer is that of another's question",
        kind: .pooled,
        references: [
            Reference("OpenAI, March 2023", "https://openai.com/index/march-20-chatgpt-outage/"),
            .vulnerability("CVE-2023-28859"), .issue("redis/redis-py", 2665),
        ],
        mechanism: """
            A request is cancelled when it has asked and not yet read the answer. The connection goes back to the pool with the \
            answer in it, and the next one who asks there reads it as their own.
            """,
        model: "The server is a list of answers that are still to be read.",
        lesson: "A connection is closed where its work did not come to its end. Nobody knows what is left in it.",
        keeper: Keeper("`IdentityLease`, which closes it", see: "Leases.md#what-is-closed"),
        asPublished: {
            let pool = PlainPool(ModelConnection())
            await cancelledInTheMiddle { isAsked, isCancelled in
                let connection = pool.take()
                defer { pool.giveBack(connection) }
                connection.ask(as: Users.ada)
                isAsked.come()
                await isCancelled.wait()
                try Task.checkCancellation()
                _ = connection.read()
            }
            let connection = pool.take()
            connection.ask(as: Users.bea)
            return [Sighting("the answer to Bea", of: Users.bea, saw: connection.read())]
        },
        withPackage: {
            let leases = IdentityLease(of: ModelConnection.pool(1), binding: .session)
            await cancelledInTheMiddle { isAsked, isCancelled in
                try await withIdentity(Users.ada) {
                    try await leases.withLease { lease in
                        try lease.use { $0.ask(as: Identity.current) }
                        isAsked.come()
                        await isCancelled.wait()
                        try Task.checkCancellation()
                        _ = try lease.use { $0.read() }
                    }
                }
            }
            let seen = try withIdentity(Users.bea) {
                try leases.withLeaseBlocking { lease in
                    try lease.use { connection in
                        connection.ask(as: Identity.current)
                        return connection.read()
                    }
                }
            }
            return [Sighting("the answer to Bea", of: Users.bea, saw: seen)]
        }
    )

    private static let authenticatedConnection = Incident(
        name: "authenticated-connection",
        title: "A kept-alive connection that is its first user",
        symptom: "a request with one user's password is answered as the one before",
        kind: .pooled,
        references: [
            Reference("CVE-2014-0015", "https://curl.se/docs/CVE-2014-0015.html"),
            Reference("CVE-2026-1965", "https://curl.se/docs/CVE-2026-1965.html"), .issue("apache/iceberg", 6071),
        ],
        mechanism: """
            Some protocols authenticate the connection and not the request. A pool that finds a connection by its host gives \
            the second user one that is the first, whatever password comes with the request.
            """,
        model: "The connection takes on the first user that it sees, and never another.",
        lesson: "What cannot be cleared cannot be shared. Ask a connection who it is before the next one has it.",
        keeper: Keeper("`IdentityLease`, which asks it and closes it", see: "Leases.md#what-is-closed"),
        asPublished: {
            let pool = PlainPool(ModelConnection())
            for user in [Users.ada, Users.bea] {
                let connection = pool.take()
                connection.authenticate(as: user)
                pool.giveBack(connection)
            }
            return [Sighting("Bea's request", of: Users.bea, saw: pool.take().answer)]
        },
        withPackage: {
            let leases = IdentityLease(of: ModelConnection.pool(1), binding: .authentication)
            let ask: @Sendable () throws -> Identity? = { try leases.withLeaseBlocking { try $0.use(\.answer) } }
            _ = try withIdentity(Users.ada, ask)
            return [Sighting("Bea's request", of: Users.bea, saw: try withIdentity(Users.bea, ask))]
        }
    )

    /// Cancels work while it waits for an answer.
    private static func cancelledInTheMiddle(
        _ work: @escaping @Sendable (_ isAsked: Signal, _ isCancelled: Signal) async throws -> Void
    ) async {
        let (isAsked, isCancelled) = (Signal(), Signal())
        let task = Task { try await work(isAsked, isCancelled) }
        await isAsked.wait()
        task.cancel()
        isCancelled.come()
        _ = await task.result
    }
}
