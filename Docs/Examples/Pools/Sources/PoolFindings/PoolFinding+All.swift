import MultiIdentityTesting

// One sentence for each reason: it stands below the table of Docs/Leases.md.
extension PoolFinding {
    /// Every pool that is examined, in the order of the table.
    public static let all = [
        redisLeases, redisPlain, grdbFunction, grdbTable, grdbLeases, clientOfRequests, clientOfConnections,
        clientLeases,
    ]

    private static let noJoining: [PoolPromise: Outcome] = [
        .batchesOneIdentity: .notApplicable("It batches nothing; `IdentityKeyed.Batcher` does."),
        .answersJoinersWithTheirOwn: .notApplicable("It joins no work; `IdentityKeyed.SingleFlight` does."),
    ]

    private static func kept(_ promises: PoolPromise...) -> [PoolPromise: Outcome] {
        Dictionary(uniqueKeysWithValues: promises.map { ($0, .kept) })
    }

    private static let keptByLeases = kept(
        .showsNothingOfAnEarlierLessee,
        .seesNothingWithoutIdentity,
        .destroysWhatWasCancelled,
        .closesWhereResetFails,
        .bindsAWaiterAsItself,
        .leavesNothingHalfBound
    )

    private static func merged(_ parts: [PoolPromise: Outcome]...) -> [PoolPromise: Outcome] {
        parts.reduce(into: [:]) { $0.merge($1) { _, new in new } }
    }

    /// Connections to Redis, leased: `AUTH`, `RESET`, `ACL WHOAMI`.
    public static let redisLeases = PoolFinding(
        "Redis, leased",
        merged(keptByLeases, kept(.leavesNoSettingAfterRollback), noJoining)
    )

    /// Connections to Redis in a plain pool; each becomes the user that takes it out.
    public static let redisPlain = PoolFinding(
        "Redis, a plain pool",
        merged(
            noJoining,
            [
                .showsNothingOfAnEarlierLessee: .broken("Nobody takes off whom a connection was last."),
                .seesNothingWithoutIdentity: .broken("Nobody takes off whom a connection was last."),
                .destroysWhatWasCancelled: .broken("A connection is put back whatever became of the request on it."),
                .closesWhereResetFails: .notApplicable("Nothing is reset that could fail."),
                .leavesNoSettingAfterRollback: .broken("Nobody takes off whom a connection was last."),
                .bindsAWaiterAsItself: .notApplicable("It never has anybody wait, but opens another connection."),
                .leavesNothingHalfBound: .notApplicable(
                    "A connection that died is put back, and fails its next user, but shows nothing."
                ),
            ]
        )
    )

    /// GRDB's pool, where SQL asks for the scope's identity.
    public static let grdbFunction = PoolFinding(
        "GRDB, `current_identity()`",
        merged(
            kept(
                .showsNothingOfAnEarlierLessee,
                .seesNothingWithoutIdentity,
                .leavesNoSettingAfterRollback,
                .bindsAWaiterAsItself
            ),
            noJoining,
            [
                .destroysWhatWasCancelled: .broken(
                    "The connection stays, rolled back: nothing was put on it that could be left behind."
                ),
                .closesWhereResetFails: .notApplicable("Nothing is put on a connection, and nothing taken off."),
                .leavesNothingHalfBound: .notApplicable("Nothing is put on a connection, and nothing taken off."),
            ]
        )
    )

    /// GRDB's pool, with a temporary table that names the connection's identity.
    public static let grdbTable = PoolFinding(
        "GRDB, a temporary table",
        merged(
            kept(.bindsAWaiterAsItself),
            noJoining,
            [
                .showsNothingOfAnEarlierLessee: .broken("A temporary table lasts as long as its connection."),
                .seesNothingWithoutIdentity: .broken("A temporary table lasts as long as its connection."),
                .destroysWhatWasCancelled: .broken("What was cancelled is rolled back, and its connection stays."),
                .closesWhereResetFails: .broken(
                    "GRDB has no reset; where the program's own fails, the connection stays."
                ),
                .leavesNoSettingAfterRollback: .broken("A rollback brings back whom the table named before."),
                .leavesNothingHalfBound: .kept,
            ]
        )
    )

    /// Connections of GRDB in a pool of this package, leased, with the same temporary table.
    public static let grdbLeases = PoolFinding(
        "GRDB's queues, leased",
        merged(keptByLeases, kept(.leavesNoSettingAfterRollback), noJoining)
    )

    private static let noReset = Outcome.notApplicable("A connection of HTTP has no reset.")
    private static let noRollback = Outcome.notApplicable("A connection of HTTP has no transaction.")

    /// AsyncHTTPClient, and a server that asks each request who it is.
    public static let clientOfRequests = PoolFinding(
        "AsyncHTTPClient, a header",
        merged(
            kept(
                .showsNothingOfAnEarlierLessee,
                .seesNothingWithoutIdentity,
                .destroysWhatWasCancelled,
                .bindsAWaiterAsItself,
                .leavesNothingHalfBound
            ),
            noJoining,
            [.closesWhereResetFails: noReset, .leavesNoSettingAfterRollback: noRollback]
        )
    )

    /// AsyncHTTPClient, and a server that takes a connection for the first user on it, as NTLM does.
    public static let clientOfConnections = PoolFinding(
        "AsyncHTTPClient, a server that knows connections",
        merged(
            kept(.destroysWhatWasCancelled, .leavesNothingHalfBound),
            noJoining,
            [
                .showsNothingOfAnEarlierLessee: .broken("The client pools by host alone, and the server remembers."),
                .seesNothingWithoutIdentity: .broken("The client pools by host alone, and the server remembers."),
                .bindsAWaiterAsItself: .broken("The client pools by host alone, and the server remembers."),
                .closesWhereResetFails: noReset,
                .leavesNoSettingAfterRollback: noRollback,
            ]
        )
    )

    /// Clients of one connection each, leased, against that server: signed out when they come back, and asked.
    public static let clientLeases = PoolFinding(
        "the same, one client leased",
        merged(keptByLeases, noJoining, [.leavesNoSettingAfterRollback: noRollback])
    )
}
