import MultiIdentity
import MultiIdentityLease

extension Incident {
    static let pooled = [sessionSetting, cancelledAnswer, authenticatedConnection]

    private static let sessionSetting = Incident(
        name: "session-setting",
        title: "A pooled connection with a session setting",
        references: [.issue("tediousjs/node-mssql", 1483), .issue("ujeenet/rustango", 1224)],
        mechanism: """
            Row-level security looks at a setting of the session. A request sets it and gives the connection back; the next \
            one that is given that connection, and sets nothing, is the last user to the database.
            """,
        lesson: "A connection is bound before its user sees it, and comes back clean or not at all.",
        keeper: "IdentityPool",
        asPublished: {
            let pool = PlainPool(ModelConnection())
            let connection = pool.take()
            connection.session = Users.ada
            pool.giveBack(connection)
            return [Sighting("a query without a user", of: .nobody, saw: pool.take().session)]
        },
        withPackage: {
            var settings = LeaseSettings()
            settings.withoutIdentity = .asNobody
            let leases = IdentityPool(of: ModelConnection.pool(1), binding: .session, settings: settings)
            _ = try withIdentity(Users.ada) { try leases.withLeaseBlocking { try $0.use(\.session) } }
            let seen = try leases.withLeaseBlocking { lease in try lease.use(\.session) }
            return [Sighting("a query without a user", of: .nobody, saw: seen)]
        }
    )

    private static let cancelledAnswer = Incident(
        name: "cancelled-answer",
        title: "The answer to a cancelled request",
        references: [
            Reference(label: "OpenAI, March 2023", address: "https://openai.com/index/march-20-chatgpt-outage/"),
            .vulnerability("CVE-2023-28859"), .issue("redis/redis-py", 2665),
        ],
        mechanism: """
            A request is cancelled when it has asked and not yet read the answer. The connection goes back to the pool with the \
            answer in it, and the next one who asks there reads it as their own.
            """,
        lesson: "A connection is closed where its work did not come to its end. Nobody knows what is left in it.",
        keeper: "IdentityPool, which closes it",
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
            let leases = IdentityPool(of: ModelConnection.pool(1), binding: .session)
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
        references: [
            Reference(label: "CVE-2014-0015", address: "https://curl.se/docs/CVE-2014-0015.html"),
            Reference(label: "CVE-2026-1965", address: "https://curl.se/docs/CVE-2026-1965.html"),
            .issue("apache/iceberg", 6071),
        ],
        mechanism: """
            Some protocols authenticate the connection and not the request. A pool that finds a connection by its host gives \
            the second user one that is the first, whatever password comes with the request.
            """,
        lesson: "What cannot be cleared cannot be shared. Ask a connection who it is before the next one has it.",
        keeper: "IdentityPool, which asks it and closes it",
        asPublished: {
            let pool = PlainPool(ModelConnection())
            for user in [Users.ada, Users.bea] {
                let connection = pool.take()
                connection.authenticate(as: user)
                pool.giveBack(connection)
            }
            return [Sighting("Bea's request", of: Users.bea, saw: pool.take().session)]
        },
        withPackage: {
            let leases = IdentityPool(of: ModelConnection.pool(1), binding: .authentication)
            let ask: @Sendable () throws -> Identity? = { try leases.withLeaseBlocking { try $0.use(\.session) } }
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
