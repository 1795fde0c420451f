import MultiIdentity

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
        model: "The database is an object that knows as whom its session is; the pool that binds is the twin's own.",
        lesson: "A connection is bound before its user sees it, and comes back clean or not at all.",
        keeper: Keeper("`Identity.current`, bound at check-out", see: "Construction.md#what-user-code-can-still-do"),
        asPublished: {
            let pool = PlainPool(ModelConnection())
            let connection = pool.take()
            connection.session = Users.ada
            pool.giveBack(connection)
            return [Sighting("a query without a user", of: .nobody, saw: pool.take().answer)]
        },
        withPackage: {
            let pool = BoundPool()
            _ = try await withIdentity(Users.ada) { try await pool.with(\.answer) }
            let seen = try await pool.with(\.answer)
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
        keeper: Keeper(
            "`Identity.current`, bound in the transaction",
            see: "Construction.md#what-user-code-can-still-do"
        ),
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
            let (first, second, third) = (
                PooledClient(of: server), PooledClient(of: server), PooledClient(of: server)
            )
            _ = withIdentity(Users.ada) { first.queryInTransaction() }
            _ = withIdentity(Users.bea) { second.queryInTransaction() }
            let seen = withIdentity(Users.ada) { first.queryInTransaction() }
            return pooling(saw: seen, third.queryInTransaction())
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
        model: "The server is a list of answers that are still to be read; the pool that closes is the twin's own.",
        lesson: "A connection whose work did not come to its end is closed. Nobody knows what is left in it.",
        keeper: Keeper("a check-out with an end, which closes it", see: "Construction.md#what-user-code-can-still-do"),
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
            let pool = BoundPool()
            await cancelledInTheMiddle { isAsked, isCancelled in
                try await withIdentity(Users.ada) {
                    try await pool.with { connection in
                        connection.ask(as: Users.ada)
                        isAsked.come()
                        await isCancelled.wait()
                        try Task.checkCancellation()
                        _ = connection.read()
                    }
                }
            }
            let seen = try await withIdentity(Users.bea) {
                try await pool.with { connection in
                    connection.ask(as: Users.bea)
                    return connection.read()
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
        model: "The connection stays the first user that it sees; the pool that asks it is the twin's own.",
        lesson: "What cannot be cleared cannot be shared. Ask a connection who it is before the next one has it.",
        keeper: Keeper("a check-out that asks who it is", see: "Construction.md#what-user-code-can-still-do"),
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
            let pool = BoundPool(bind: { $0.authenticate(as: $1) }, clear: { _ in })
            _ = try await withIdentity(Users.ada) { try await pool.with(\.answer) }
            let seen = try await withIdentity(Users.bea) { try await pool.with(\.answer) }
            return [Sighting("Bea's request", of: Users.bea, saw: seen)]
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
