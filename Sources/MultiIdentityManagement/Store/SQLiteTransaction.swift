import MultiIdentity

/// A transaction of a database of accounts.
final class SQLiteTransaction: AccountTransaction {
    private static let columns = """
        key, name, stage, due, last_run, runs, lease, had_policy, policy, configuration, overrides, life, asked, silence, \
        heard, heard_elapsed
        """
    private static let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
    private let connection: SQLiteConnection
    private let clock: StoreClock
    private var moment: StoreClock.Kept?
    private var hasChanged = false

    init(_ connection: SQLiteConnection, _ clock: StoreClock) { (self.connection, self.clock) = (connection, clock) }

    func time() throws(ManagementError) -> StoreInstant { try now().instant }

    /// Stores the time of a transaction that has changed something.
    func keepTime() throws(ManagementError) {
        guard hasChanged else { return }
        let now = try now()
        try connection.run(
            "UPDATE store SET now = ?, elapsed = ?, wall = ?, ticks = ?, boot = ?",
            [.number(now.now), .number(now.elapsed), .number(now.wall), .number(now.ticks), .text(now.boot)]
        )
    }

    private func now() throws(ManagementError) -> StoreClock.Kept {
        if let moment { return moment }
        let kept = try connection.rows("SELECT now, elapsed, wall, ticks, boot FROM store") {
            (row) throws(ManagementError) in
            StoreClock.Kept(
                now: row.number(0),
                elapsed: row.number(1),
                wall: row.number(2),
                ticks: row.number(3),
                boot: row.text(4)
            )
        }
        let next = clock.next(after: kept.first ?? clock.first)
        moment = next
        return next
    }

    private func change(_ sql: String, _ values: [SQLiteConnection.Value]) throws(ManagementError) {
        hasChanged = true
        try connection.run(sql, values)
    }

    func account(_ identity: Identity) throws(ManagementError) -> AccountRecord? {
        try records("WHERE key = ?", [.text(identity.caselessName)]).first
    }

    func put(_ record: AccountRecord) throws(ManagementError) {
        try change(
            "INSERT OR REPLACE INTO accounts (\(Self.columns)) VALUES (\(Self.places))",
            [
                .text(record.identity.caselessName), .text(record.identity.name), .text(record.stage.rawValue),
                .moment(record.due), .moment(record.lastRun), .number(record.runs), .text(record.lease),
                .number(record.hadPolicy ? 1 : 0), .text(record.policyText), .text(record.configurationText),
                .text(record.overridesText), .number(record.life), .number(record.wasAsked ? 1 : 0),
                .number(Int64(record.silence.rawValue)), .moment(record.policyConfirmed?.now),
                .number(record.policyConfirmed.map { StoreClock.milliseconds($0.elapsed) }),
            ]
        )
    }

    func remove(_ identity: Identity) throws(ManagementError) {
        try change("DELETE FROM accounts WHERE key = ?", [.text(identity.caselessName)])
        try change("DELETE FROM names WHERE account_key = ?", [.text(identity.caselessName)])
    }

    func accounts(_ stage: AccountRecord.Stage?) throws(ManagementError) -> [AccountRecord] {
        guard let stage else { return try records("") }
        return try records("WHERE stage = ?", [.text(stage.rawValue)])
    }

    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord] {
        try records(
            "WHERE (stage = ? OR stage NOT IN (\(AccountRecord.Stage.list))) AND key > ? ORDER BY key LIMIT ?",
            [.text(stage.rawValue), .text(last?.caselessName ?? ""), .number(Int64(limit))]
        )
    }

    func due(at moment: WallInstant, limit: Int) throws(ManagementError) -> [AccountRecord] {
        try records("WHERE due <= ? ORDER BY due LIMIT ?", [.moment(moment), .number(Int64(limit))])
    }

    func silent(
        _ silence: AccountRecord.Silence,
        since moment: WallInstant,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord] {
        try records(
            "WHERE stage = 'enrolled' AND silence = ? AND heard <= ? ORDER BY heard LIMIT ?",
            [.number(Int64(silence.rawValue)), .moment(moment), .number(Int64(limit))]
        )
    }

    func nextDue() throws(ManagementError) -> WallInstant? {
        try connection.rows("SELECT min(due) FROM accounts WHERE due IS NOT NULL") { (row) throws(ManagementError) in
            row.moment(0)
        }.first ?? nil
    }

    func setDueOfRegistered(_ due: WallInstant?) throws(ManagementError) {
        let stage = AccountRecord.Stage.registered.rawValue
        let sql = "UPDATE accounts SET due = ? WHERE stage = ? AND lease IS NULL AND asked = 0"
        try change(sql, [.moment(due), .text(stage)])
    }

    func add(_ event: AccountEvent) throws(ManagementError) -> Int64 {
        hasChanged = true
        // Beyond the largest number, SQLite would continue in floating point.
        let numbers = try connection.rows(
            "UPDATE store SET last_event = last_event + 1 WHERE last_event < \(Int64.max) RETURNING last_event"
        ) { (row) throws(ManagementError) in row.number(0) }
        guard let number = numbers.first else {
            throw ManagementError(
                .damaged,
                "The store has used the last event number. Restore its last good copy."
            )
        }
        try change(
            "INSERT INTO events (number, name, status, text, moment, origin, request) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .number(number), .text(event.identity.name), .text(event.status.description), .text(event.text),
                .moment(event.moment), .text(event.origin), .text(event.request?.rawValue ?? ""),
            ]
        )
        return number
    }

    func events(after number: Int64, limit: Int) throws(ManagementError) -> [AccountEvent] {
        try connection.rows(
            "SELECT number, name, status, text, moment, origin, request FROM events WHERE number > ? ORDER BY number LIMIT ?",
            [.number(number), .number(Int64(limit))]
        ) { (row) throws(ManagementError) in
            AccountEvent(
                try row.identity(1),
                AccountEventStatus(row.text(2)),
                row.text(3),
                at: WallInstant(milliseconds: row.number(4)),
                from: row.text(5),
                ending: AccountRequest(rawValue: row.text(6))
            ).numbered(row.number(0))
        }
    }

    func lastEvent() throws(ManagementError) -> Int64 { try connection.number("SELECT last_event FROM store") }

    func forgetEvents() throws(ManagementError) {
        // If no process is present, the minimum is null, and nothing is removed.
        try change(
            """
            DELETE FROM events WHERE number < (SELECT min(settled) FROM readers WHERE until >= ?)
            AND number <= (SELECT last_event - \(AccountEvent.keptCount) FROM store)
            """,
            [.number(StoreClock.milliseconds(try time().elapsed))]
        )
    }

    func account(ofAlias alias: Identity) throws(ManagementError) -> Identity? {
        try connection.rows(
            "SELECT account_name, account_key FROM names WHERE key = ?",
            [.text(alias.caselessName)]
        ) { (row) throws(ManagementError) in try row.identity(0, key: 1) }.first
    }

    func aliases(of identity: Identity?) throws(ManagementError) -> [(alias: String, account: Identity)] {
        try connection.rows(
            "SELECT key, account_name, account_key FROM names"
                + (identity == nil ? "" : " WHERE account_key = ?"),
            identity.map { [.text($0.caselessName)] } ?? []
        ) { (row) throws(ManagementError) in (row.text(0), try row.identity(1, key: 2)) }
    }

    func setAlias(_ alias: Identity, of identity: Identity) throws(ManagementError) {
        try change(
            "INSERT OR REPLACE INTO names (key, account_key, account_name) VALUES (?, ?, ?)",
            [.text(alias.caselessName), .text(identity.caselessName), .text(identity.name)]
        )
    }

    func policyCopy(of source: String) throws(ManagementError) -> PolicyCopy? {
        try connection.rows("SELECT text, tag, signature, confirmed FROM policies WHERE source = ?", [.text(source)]) {
            (row) throws(ManagementError) in
            PolicyCopy(
                source: source,
                text: row.text(0),
                tag: row.optionalText(1),
                signature: row.text(2),
                confirmed: WallInstant(milliseconds: row.number(3))
            )
        }.first
    }

    func put(_ copy: PolicyCopy) throws(ManagementError) {
        try change(
            "INSERT OR REPLACE INTO policies (source, text, tag, signature, confirmed) VALUES (?, ?, ?, ?, ?)",
            [.text(copy.source), .text(copy.text), .text(copy.tag), .text(copy.signature), .moment(copy.confirmed)]
        )
    }

    func processes() throws(ManagementError) -> [AccountProcess] {
        try connection.rows("SELECT name, settled, until, awaited FROM readers") { (row) throws(ManagementError) in
            let until = Duration.milliseconds(row.number(2))
            var process = AccountProcess(name: row.text(0), settled: row.number(1), until: until)
            process.isAwaited = row.number(3) != 0
            return process
        }
    }

    func put(_ process: AccountProcess) throws(ManagementError) {
        try change(
            "INSERT OR REPLACE INTO readers (name, settled, until, awaited) VALUES (?, ?, ?, ?)",
            [
                .text(process.name), .number(process.settled), .number(StoreClock.milliseconds(process.until)),
                .number(process.isAwaited ? 1 : 0),
            ]
        )
        try change("DELETE FROM readers WHERE until < ?", [.number(StoreClock.milliseconds(try time().elapsed))])
    }

    func removeProcess(_ name: String) throws(ManagementError) {
        try change("DELETE FROM readers WHERE name = ?", [.text(name)])
    }

    private func records(
        _ condition: String,
        _ values: [SQLiteConnection.Value] = []
    ) throws(ManagementError) -> [AccountRecord] {
        try connection.rows("SELECT \(Self.columns) FROM accounts \(condition)", values) {
            (row) throws(ManagementError) in
            guard let stage = AccountRecord.Stage(rawValue: row.text(2)) else {
                throw row.damaged("an account with an unknown stage")
            }
            guard let silence = AccountRecord.Silence(rawValue: Int(row.number(13))) else {
                throw row.damaged("an account with an unknown silence")
            }
            var record = AccountRecord(try row.identity(1, key: 0), stage, due: row.moment(3))
            (record.lastRun, record.runs, record.lease) = (row.moment(4), row.number(5), row.optionalText(6))
            (record.hadPolicy, record.policyText) = (row.number(7) != 0, row.optionalText(8))
            (record.configurationText, record.overridesText) = (row.optionalText(9), row.optionalText(10))
            (record.life, record.wasAsked, record.silence) = (row.number(11), row.number(12) != 0, silence)
            record.policyConfirmed = row.moment(14).map {
                StoreInstant(now: $0, elapsed: .milliseconds(row.number(15)))
            }
            return record
        }
    }
}
