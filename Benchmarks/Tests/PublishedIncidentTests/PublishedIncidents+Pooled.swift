import MultiIdentity
import MultiIdentityLease
import Testing

extension PublishedIncidents {
    /// tediousjs/node-mssql#1483, ujeenet/rustango#1224.
    @Test("a pooled connection with a session setting") func sessionSetting() async throws {
        try await reproduce(.nobody) {
            let pool = PlainPool(ModelConnection())
            let connection = pool.take()
            connection.session = Users.ada
            pool.giveBack(connection)
            return [pool.take().session]
        } withPackage: {
            var settings = LeaseSettings()
            settings.withoutIdentity = .asNobody
            let leases = IdentityPool(of: ModelConnection.pool(1), binding: .session, settings: settings)
            _ = try withIdentity(Users.ada) { try leases.withLeaseBlocking { try $0.use(\.session) } }
            let seen = try leases.withLeaseBlocking { lease in try lease.use(\.session) }
            return [seen]
        }
    }

    /// OpenAI, March 2023 (https://openai.com/index/march-20-chatgpt-outage/), CVE-2023-28859, redis/redis-py#2665.
    @Test("the answer to a cancelled request") func cancelledAnswer() async throws {
        try await reproduce(Users.bea) {
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
            return [connection.read()]
        } withPackage: {
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
            return [seen]
        }
    }

    /// CVE-2014-0015, CVE-2026-1965, apache/iceberg#6071.
    @Test("a kept-alive connection that is its first user") func authenticatedConnection() async throws {
        try await reproduce(Users.bea) {
            let pool = PlainPool(ModelConnection())
            for user in [Users.ada, Users.bea] {
                let connection = pool.take()
                connection.authenticate(as: user)
                pool.giveBack(connection)
            }
            return [pool.take().session]
        } withPackage: {
            let leases = IdentityPool(of: ModelConnection.pool(1), binding: .authentication)
            let ask: @Sendable () throws -> Identity? = { try leases.withLeaseBlocking { try $0.use(\.session) } }
            _ = try withIdentity(Users.ada, ask)
            return [try withIdentity(Users.bea, ask)]
        }
    }
}

/// Cancels work while it waits for an answer.
private func cancelledInTheMiddle(
    _ work: @escaping @Sendable (_ isAsked: Signal, _ isCancelled: Signal) async throws -> Void
) async {
    let (isAsked, isCancelled) = (Signal(), Signal())
    let task = Task { try await work(isAsked, isCancelled) }
    await isAsked.wait()
    task.cancel()
    isCancelled.come()
    _ = await task.result
}
