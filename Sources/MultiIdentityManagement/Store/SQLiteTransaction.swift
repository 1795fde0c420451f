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

    func time() throws(AccountStoreError) -> StoreInstant { try now().instant }

    /// Keeps the moment of a transaction that has changed something.
    func keepTime() throws(AccountStoreError) {
        guard hasChanged else { return }
        let now = try now()
        try connection.run(
            "UPDATE store SET now = ?, elapsed = ?, wall = ?, ticks = ?, boot = ?",
            .number(now.now),
            .number(now.elapsed),
            .number(now.wall),
            .number(now.ticks),
            .text(now.boot)
        )
    }

    private func now() throws(AccountStoreError) -> StoreClock.Kept {
        if let moment { return moment }
        var kept = clock.first
        try connection.rows("SELECT now, elapsed, wall, ticks, boot FROM store", []) {
            (row) throws(AccountStoreError) in
            kept = StoreClock.Kept(
                now: row.number(0),
                elapsed: row.number(1),
                wall: row.number(2),
                ticks: row.number(3),
                boot: row.text(4)
            )
        }
        let next = clock.next(after: kept)
        moment = next
        return next
    }

    private func change(_ sql: String, _ values: SQLiteConnection.Value...) throws(AccountStoreError) {
        hasChanged = true
        try connection.rows(sql, values) { (_) throws(AccountStoreError) in }
    }

    func account(_ identity: Identity) throws(AccountStoreError) -> AccountRecord? {
        try records("WHERE key = ?", .text(identity.caselessName)).first
    }

    func put(_ record: AccountRecord) throws(AccountStoreError) {
        try change(
            "INSERT OR REPLACE INTO accounts (\(Self.columns)) VALUES (\(Self.places))",
            .text(record.identity.caselessName),
            .text(record.identity.name),
            .text(record.stage.rawValue),
            Self.moment(record.due),
            Self.moment(record.lastRun),
            .number(record.runs),
            record.lease.map { .text($0) } ?? .null,
            .number(record.hadPolicy ? 1 : 0),
            record.policyText.map { .text($0) } ?? .null,
            record.configurationText.map { .text($0) } ?? .null,
            record.overridesText.map { .text($0) } ?? .null,
            .number(record.life),
            .number(record.wasAsked ? 1 : 0),
            .number(Int64(record.silence.rawValue)),
            Self.moment(record.policyConfirmed?.now),
            record.policyConfirmed.map { .number($0.elapsedMilliseconds) } ?? .null
        )
    }

    func remove(_ identity: Identity) throws(AccountStoreError) {
        try change("DELETE FROM accounts WHERE key = ?", .text(identity.caselessName))
        try change("DELETE FROM names WHERE account_key = ?", .text(identity.caselessName))
    }

    func accounts(_ stage: AccountRecord.Stage?) throws(AccountStoreError) -> [AccountRecord] {
        guard let stage else { return try records("") }
        return try records("WHERE stage = ?", .text(stage.rawValue))
    }

    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(AccountStoreError) -> [AccountRecord] {
        try records(
            "WHERE stage = ? AND key > ? ORDER BY key LIMIT ?",
            .text(stage.rawValue),
            .text(last?.caselessName ?? ""),
            .number(Int64(limit))
        )
    }

    func due(at moment: WallInstant, limit: Int) throws(AccountStoreError) -> [AccountRecord] {
        try records("WHERE due <= ? ORDER BY due LIMIT ?", Self.moment(moment), .number(Int64(limit)))
    }

    func due(after moment: WallInstant) throws(AccountStoreError) -> [AccountRecord] {
        try records("WHERE due > ?", Self.moment(moment))
    }

    func silent(
        _ silence: AccountRecord.Silence,
        since moment: WallInstant,
        limit: Int
    ) throws(AccountStoreError) -> [AccountRecord] {
        try records(
            "WHERE stage = 'enrolled' AND silence = ? AND heard <= ? ORDER BY heard LIMIT ?",
            .number(Int64(silence.rawValue)),
            Self.moment(moment),
            .number(Int64(limit))
        )
    }

    func nextDue() throws(AccountStoreError) -> WallInstant? {
        var moment: WallInstant?
        try connection.rows("SELECT min(due) FROM accounts WHERE due IS NOT NULL", []) {
            (row) throws(AccountStoreError) in moment = row.moment(0)
        }
        return moment
    }

    func setDueOfRegistered(_ due: WallInstant?) throws(AccountStoreError) {
        try change(
            "UPDATE accounts SET due = ? WHERE stage = ? AND lease IS NULL",
            Self.moment(due),
            .text(AccountRecord.Stage.registered.rawValue)
        )
    }

    func add(_ event: AccountEvent) throws(AccountStoreError) -> Int64 {
        hasChanged = true
        let number = try connection.number("UPDATE store SET last_event = last_event + 1 RETURNING last_event")
        try change(
            "INSERT INTO events (number, name, status, text, moment, origin, request) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .number(number),
            .text(event.identity.name),
            .text(event.status.rawValue),
            .text(event.text),
            .number(event.moment.milliseconds),
            .text(event.origin),
            .text(event.request?.rawValue ?? "")
        )
        return number
    }

    func events(after number: Int64, limit: Int) throws(AccountStoreError) -> [AccountEvent] {
        var events: [AccountEvent] = []
        try connection.rows(
            "SELECT number, name, status, text, moment, origin, request FROM events WHERE number > ? ORDER BY number LIMIT ?",
            [.number(number), .number(Int64(limit))]
        ) { (row) throws(AccountStoreError) in
            let event = AccountEvent(
                try row.identity(1),
                AccountEventStatus(rawValue: row.text(2)),
                row.text(3),
                at: WallInstant(milliseconds: row.number(4)),
                from: row.text(5),
                ending: AccountRequest(rawValue: row.text(6))
            )
            events.append(event.numbered(row.number(0)))
        }
        return events
    }

    func lastEvent() throws(AccountStoreError) -> Int64 {
        try connection.number("SELECT last_event FROM store")
    }

    func forgetEvents() throws(AccountStoreError) {
        // Where no process is there, the least number of none is null, and nothing is forgotten.
        try change(
            """
            DELETE FROM events WHERE number < (SELECT min(settled) FROM readers WHERE until >= ?)
            AND number <= (SELECT last_event - \(AccountEvent.keptCount) FROM store)
            """,
            Self.moment(try time().now)
        )
    }

    func account(ofAlias alias: Identity) throws(AccountStoreError) -> Identity? {
        var account: Identity?
        try connection.rows(
            "SELECT account_name, account_key FROM names WHERE key = ?",
            [.text(alias.caselessName)]
        ) { (row) throws(AccountStoreError) in account = try row.identity(0, key: 1) }
        return account
    }

    func aliases(
        of identity: Identity?
    ) throws(AccountStoreError) -> [(alias: String, account: Identity, isFormer: Bool)] {
        var aliases: [(alias: String, account: Identity, isFormer: Bool)] = []
        try connection.rows(
            "SELECT key, account_name, account_key, adopts FROM names"
                + (identity == nil ? "" : " WHERE account_key = ?"),
            identity.map { [.text($0.caselessName)] } ?? []
        ) { (row) throws(AccountStoreError) in
            aliases.append((row.text(0), try row.identity(1, key: 2), row.number(3) == 1))
        }
        return aliases
    }

    func setAlias(_ alias: Identity, of identity: Identity) throws(AccountStoreError) {
        try change(
            "INSERT OR REPLACE INTO names (key, account_key, account_name, adopts) VALUES (?, ?, ?, 0)",
            .text(alias.caselessName),
            .text(identity.caselessName),
            .text(identity.name)
        )
    }

    func policyCopy(of source: String) throws(AccountStoreError) -> PolicyCopy? {
        var copy: PolicyCopy?
        try connection.rows(
            "SELECT text, tag, signature, confirmed FROM policies WHERE source = ?",
            [.text(source)]
        ) { (row) throws(AccountStoreError) in
            copy = PolicyCopy(
                source: source,
                text: row.text(0),
                tag: row.optionalText(1),
                signature: row.text(2),
                confirmed: WallInstant(milliseconds: row.number(3))
            )
        }
        return copy
    }

    func put(_ copy: PolicyCopy) throws(AccountStoreError) {
        try change(
            "INSERT OR REPLACE INTO policies (source, text, tag, signature, confirmed) VALUES (?, ?, ?, ?, ?)",
            .text(copy.source),
            .text(copy.text),
            copy.tag.map { .text($0) } ?? .null,
            .text(copy.signature),
            .number(copy.confirmed.milliseconds)
        )
    }

    func processes() throws(AccountStoreError) -> [AccountProcess] {
        var processes: [AccountProcess] = []
        try connection.rows("SELECT name, settled, until, awaited FROM readers", []) {
            (row) throws(AccountStoreError) in
            let until = WallInstant(milliseconds: row.number(2))
            var process = AccountProcess(name: row.text(0), settled: row.number(1), until: until)
            process.isAwaited = row.number(3) != 0
            processes.append(process)
        }
        return processes
    }

    func put(_ process: AccountProcess) throws(AccountStoreError) {
        try change(
            "INSERT OR REPLACE INTO readers (name, settled, until, awaited) VALUES (?, ?, ?, ?)",
            .text(process.name),
            .number(process.settled),
            .number(process.until.milliseconds),
            .number(process.isAwaited ? 1 : 0)
        )
        try change("DELETE FROM readers WHERE until < ?", Self.moment(try time().now))
    }

    func removeProcess(_ name: String) throws(AccountStoreError) {
        try change("DELETE FROM readers WHERE name = ?", .text(name))
    }

    private static func moment(_ moment: WallInstant?) -> SQLiteConnection.Value {
        moment.map { .number($0.milliseconds) } ?? .null
    }

    private func records(
        _ condition: String,
        _ values: SQLiteConnection.Value...
    ) throws(AccountStoreError) -> [AccountRecord] {
        var records: [AccountRecord] = []
        try connection.rows("SELECT \(Self.columns) FROM accounts \(condition)", values) {
            (row) throws(AccountStoreError) in
            guard let stage = AccountRecord.Stage(rawValue: row.text(2)) else {
                throw row.damaged("an account of a stage that there is not")
            }
            var record = AccountRecord(try row.identity(1, key: 0), stage, due: row.moment(3))
            record.lastRun = row.moment(4)
            record.runs = row.number(5)
            record.lease = row.optionalText(6)
            record.hadPolicy = row.number(7) != 0
            record.policyText = row.optionalText(8)
            record.configurationText = row.optionalText(9)
            record.overridesText = row.optionalText(10)
            record.life = row.number(11)
            record.wasAsked = row.number(12) != 0
            guard let silence = AccountRecord.Silence(rawValue: Int(row.number(13))) else {
                throw row.damaged("an account with a silence that there is not")
            }
            record.silence = silence
            record.policyConfirmed = row.moment(14).map {
                StoreInstant(now: $0, elapsed: .milliseconds(row.number(15)))
            }
            records.append(record)
        }
        return records
    }
}
