import MultiIdentity
import MultiIdentityManagement

/// A transaction of a database of accounts.
final class PostgreSQLAccountTransaction: AccountTransaction {
    private typealias Value = AccountConnection.Value

    private static let columns = """
        key, name, stage, due, last_run, runs, lease, had_policy, policy, policy_confirmed, configuration, overrides
        """
    private let connection: AccountConnection
    private(set) var hasAddedEvents = false

    init(_ connection: AccountConnection) { self.connection = connection }

    func account(_ identity: Identity) throws(AccountStoreError) -> AccountRecord? {
        try records(of: connection.run(Self.select("WHERE key = $1"), .text(identity.caselessName))).first
    }

    func put(_ record: AccountRecord) throws(AccountStoreError) {
        try connection.run(
            """
            INSERT INTO accounts (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (key) DO UPDATE SET (\(Self.columns)) = ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            .text(record.identity.caselessName),
            .text(record.identity.name),
            .text(record.stage.rawValue),
            Self.moment(record.due),
            Self.moment(record.lastRun),
            .number(record.runs),
            Self.text(record.lease),
            .bool(record.hadPolicy),
            Self.text(record.policyText),
            Self.moment(record.policyConfirmed),
            Self.text(record.configurationText),
            Self.text(record.overridesText)
        )
    }

    func remove(_ identity: Identity) throws(AccountStoreError) {
        try connection.run("DELETE FROM accounts WHERE key = $1", .text(identity.caselessName))
        try connection.run("DELETE FROM account_aliases WHERE account_key = $1", .text(identity.caselessName))
    }

    func accounts(_ stage: AccountRecord.Stage?) throws(AccountStoreError) -> [AccountRecord] {
        guard let stage else { return try records(of: connection.run(Self.select(""))) }
        return try records(of: connection.run(Self.select("WHERE stage = $1"), .text(stage.rawValue)))
    }

    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(AccountStoreError) -> [AccountRecord] {
        try records(
            of: connection.run(
                Self.select("WHERE stage = $1 AND key > $2 ORDER BY key LIMIT $3"),
                .text(stage.rawValue),
                .text(last?.caselessName ?? ""),
                .number(Int64(limit))
            )
        )
    }

    func due(at moment: WallInstant, limit: Int) throws(AccountStoreError) -> [AccountRecord] {
        try records(
            of: connection.run(
                Self.select("WHERE due <= $1 ORDER BY due LIMIT $2"),
                Self.moment(moment),
                .number(Int64(limit))
            )
        )
    }

    func due(after moment: WallInstant) throws(AccountStoreError) -> [AccountRecord] {
        try records(of: connection.run(Self.select("WHERE due > $1"), Self.moment(moment)))
    }

    func nextDue() throws(AccountStoreError) -> WallInstant? {
        try connection.run("SELECT min(due) FROM accounts WHERE due IS NOT NULL").first?.moment(0)
    }

    func setDueOfRegistered(_ due: WallInstant?) throws(AccountStoreError) {
        try connection.run(
            "UPDATE accounts SET due = $1, lease = NULL WHERE stage = $2",
            Self.moment(due),
            .text(AccountRecord.Stage.registered.rawValue)
        )
    }

    func add(_ event: AccountEvent) throws(AccountStoreError) -> Int64 {
        hasAddedEvents = true
        let counting = "UPDATE account_store SET last_event = last_event + 1 RETURNING last_event"
        guard let number = try connection.run(counting).first?.optionalNumber(0) else {
            throw Self.damaged("no row that counts events")
        }
        try connection.run(
            "INSERT INTO account_events (number, name, status, text, moment, origin) VALUES ($1, $2, $3, $4, $5, $6)",
            .number(number),
            .text(event.identity.name),
            .text(event.status.rawValue),
            // It can come from anywhere, and an event is not to be lost for it.
            .text(event.text.replacing("\0", with: "\u{FFFD}")),
            .number(event.moment.milliseconds),
            .text(event.origin)
        )
        return number
    }

    func events(after number: Int64, limit: Int) throws(AccountStoreError) -> [AccountEvent] {
        let rows = try connection.run(
            "SELECT number, name, status, text, moment, origin FROM account_events WHERE number > $1 ORDER BY number LIMIT $2",
            .number(number),
            .number(Int64(limit))
        )
        var events: [AccountEvent] = []
        for row in rows.all {
            let event = AccountEvent(
                try Self.identity(row.text(1)),
                AccountEventStatus(rawValue: row.text(2)),
                row.text(3),
                at: WallInstant(milliseconds: row.number(4)),
                from: row.text(5)
            )
            events.append(event.numbered(row.number(0)))
        }
        return events
    }

    func lastEvent() throws(AccountStoreError) -> Int64 {
        try connection.run("SELECT last_event FROM account_store").first?.number(0) ?? 0
    }

    func forgetEvents(before moment: WallInstant) throws(AccountStoreError) {
        try connection.run("DELETE FROM account_events WHERE moment < $1", Self.moment(moment))
    }

    func account(ofAlias alias: Identity) throws(AccountStoreError) -> Identity? {
        let sql = "SELECT account_name, account_key FROM account_aliases WHERE key = $1"
        guard let row = try connection.run(sql, .text(alias.caselessName)).first else { return nil }
        return try Self.identity(row.text(0), key: row.text(1))
    }

    func aliases(of identity: Identity?) throws(AccountStoreError) -> [(alias: String, account: Identity)] {
        let sql = "SELECT key, account_name, account_key FROM account_aliases"
        let rows =
            if let identity {
                try connection.run(sql + " WHERE account_key = $1", .text(identity.caselessName))
            } else { try connection.run(sql) }
        var aliases: [(alias: String, account: Identity)] = []
        for row in rows.all { aliases.append((row.text(0), try Self.identity(row.text(1), key: row.text(2)))) }
        return aliases
    }

    func setAlias(_ alias: Identity, of identity: Identity) throws(AccountStoreError) {
        try connection.run(
            """
            INSERT INTO account_aliases (key, account_key, account_name) VALUES ($1, $2, $3)
            ON CONFLICT (key) DO UPDATE SET account_key = $2, account_name = $3
            """,
            .text(alias.caselessName),
            .text(identity.caselessName),
            .text(identity.name)
        )
    }

    func policyCopy(of source: String) throws(AccountStoreError) -> PolicyCopy? {
        let sql = "SELECT text, tag, signature, confirmed FROM account_policies WHERE source = $1"
        guard let row = try connection.run(sql, .text(source)).first else { return nil }
        return PolicyCopy(
            source: source,
            text: row.text(0),
            tag: row.optionalText(1),
            signature: row.text(2),
            confirmed: WallInstant(milliseconds: row.number(3))
        )
    }

    func put(_ copy: PolicyCopy) throws(AccountStoreError) {
        try connection.run(
            """
            INSERT INTO account_policies (source, text, tag, signature, confirmed) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (source) DO UPDATE SET text = $2, tag = $3, signature = $4, confirmed = $5
            """,
            .text(copy.source),
            .text(copy.text),
            Self.text(copy.tag),
            .text(copy.signature),
            .number(copy.confirmed.milliseconds)
        )
    }

    func processes() throws(AccountStoreError) -> [AccountProcess] {
        try connection.run("SELECT name, settled, until FROM account_processes").all.map { row in
            let until = WallInstant(milliseconds: row.number(2))
            return AccountProcess(name: row.text(0), settled: row.number(1), until: until)
        }
    }

    func put(_ process: AccountProcess) throws(AccountStoreError) {
        try connection.run(
            """
            INSERT INTO account_processes (name, settled, until) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET settled = $2, until = $3
            """,
            .text(process.name),
            .number(process.settled),
            .number(process.until.milliseconds)
        )
        let gone = process.until.advanced(by: .seconds(-86_400))
        try connection.run("DELETE FROM account_processes WHERE until < $1", Self.moment(gone))
    }

    func removeProcess(_ name: String) throws(AccountStoreError) {
        try connection.run("DELETE FROM account_processes WHERE name = $1", .text(name))
    }

    private static func select(_ condition: String) -> String { "SELECT \(columns) FROM accounts \(condition)" }

    private static func moment(_ moment: WallInstant?) -> Value { moment.map { .number($0.milliseconds) } ?? .null }

    private static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

    private func records(of rows: AccountRows) throws(AccountStoreError) -> [AccountRecord] {
        var records: [AccountRecord] = []
        for row in rows.all {
            guard let stage = AccountRecord.Stage(rawValue: row.text(2)) else {
                throw Self.damaged("an account of a stage that there is not")
            }
            var record = AccountRecord(try Self.identity(row.text(1), key: row.text(0)), stage, due: row.moment(3))
            record.lastRun = row.moment(4)
            record.runs = row.number(5)
            record.lease = row.optionalText(6)
            record.hadPolicy = row.bool(7)
            record.policyText = row.optionalText(8)
            record.policyConfirmed = row.moment(9)
            record.configurationText = row.optionalText(10)
            record.overridesText = row.optionalText(11)
            records.append(record)
        }
        return records
    }

    /// The identity of a name, where it is that of its key: a row that was tampered with yields nobody's account.
    private static func identity(_ name: String, key: String? = nil) throws(AccountStoreError) -> Identity {
        let identity: Identity
        do throws(IdentityError) { identity = try Identity(name) } catch {
            throw damaged("a name that is none: \(error.message)")
        }
        if let key, key != identity.caselessName { throw damaged("the name \(identity) under another one's key") }
        return identity
    }

    private static func damaged(_ what: String) -> AccountStoreError {
        AccountStoreError(.damaged, "The database of accounts has \(what). Put its last good copy in its place.")
    }
}
