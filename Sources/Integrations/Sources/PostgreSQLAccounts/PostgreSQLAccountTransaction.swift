import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import PostgreSQLIdentity

/// A transaction of an account database.
final class PostgreSQLAccountTransaction: AccountTransaction {
    private static let columns = """
        key, name, stage, due, last_run, runs, lease, had_policy, policy, configuration, overrides, life, asked, silence, \
        heard, heard_elapsed
        """
    private static let places = (1...columns.split(separator: ",").count).map { "$\($0)" }.joined(separator: ", ")
    /// The store's saved clock, and the server's time of day.
    static let time = "clock, elapsed, wall, (extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    private let connection: AccountConnection
    private let clock: StoreClock
    private let begun: PostgreSQLRow?
    private var moment: StoreClock.Kept?
    private var hasChanged = false
    private(set) var hasAddedEvents = false

    /// Creates a transaction; a writer has read the store's time when it locked the row.
    init(_ connection: AccountConnection, _ clock: StoreClock, _ begun: PostgreSQLRow? = nil) {
        (self.connection, self.clock, self.begun) = (connection, clock, begun)
    }

    func time() throws(ManagementError) -> StoreInstant { try now().instant }

    /// Saves the time of a transaction that has changed something.
    func keepTime() throws(ManagementError) {
        guard hasChanged else { return }
        let now = try now()
        try connection.run(
            "UPDATE account_store SET clock = $1, elapsed = $2, wall = $3",
            ["\(now.now)", "\(now.elapsed)", "\(now.wall)"]
        )
    }

    private func now() throws(ManagementError) -> StoreClock.Kept {
        if let moment { return moment }
        var row = begun
        if row == nil { row = try connection.run("SELECT \(Self.time) FROM account_store").first }
        guard let row else { throw Self.damaged("no row of its clock") }
        let kept = StoreClock.Kept(now: row.number(0), elapsed: row.number(1), wall: row.number(2))
        let next = clock.next(after: kept, by: row.number(3))
        moment = next
        return next
    }

    private func change(_ sql: String, _ values: [String?]) throws(ManagementError) {
        hasChanged = true
        try connection.run(sql, values)
    }

    func account(_ identity: Identity) throws(ManagementError) -> AccountRecord? {
        try records("WHERE key = $1", [identity.caselessName]).first
    }

    func put(_ record: AccountRecord) throws(ManagementError) {
        try change(
            """
            INSERT INTO accounts (\(Self.columns)) VALUES (\(Self.places))
            ON CONFLICT (key) DO UPDATE SET (\(Self.columns)) = (\(Self.places))
            """,
            [
                record.identity.caselessName, record.identity.name, record.stage.rawValue, Self.moment(record.due),
                Self.moment(record.lastRun), "\(record.runs)", record.lease, record.hadPolicy ? "t" : "f",
                record.policyText, record.configurationText, record.overridesText, "\(record.life)",
                record.wasAsked ? "t" : "f", "\(record.silence.rawValue)", Self.moment(record.policyConfirmed?.now),
                record.policyConfirmed.map { "\(StoreClock.milliseconds($0.elapsed))" },
            ]
        )
    }

    func remove(_ identity: Identity) throws(ManagementError) {
        try change("DELETE FROM accounts WHERE key = $1", [identity.caselessName])
        try change("DELETE FROM account_names WHERE account_key = $1", [identity.caselessName])
    }

    func accounts(_ stage: AccountRecord.Stage?) throws(ManagementError) -> [AccountRecord] {
        if let stage { try records("WHERE stage = $1", [stage.rawValue]) } else { try records("") }
    }

    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord] {
        let next = "WHERE (stage = $1 OR stage NOT IN (\(AccountRecord.Stage.list))) AND key > $2 ORDER BY key LIMIT $3"
        return try records(next, [stage.rawValue, last?.caselessName ?? "", "\(limit)"])
    }

    func due(at moment: WallInstant, limit: Int) throws(ManagementError) -> [AccountRecord] {
        try records("WHERE due <= $1 ORDER BY due LIMIT $2", [Self.moment(moment), "\(limit)"])
    }

    func silent(
        _ silence: AccountRecord.Silence,
        since moment: WallInstant,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord] {
        let silent = "WHERE stage = 'enrolled' AND silence = $1 AND heard <= $2 ORDER BY heard LIMIT $3"
        return try records(silent, ["\(silence.rawValue)", Self.moment(moment), "\(limit)"])
    }

    func nextDue() throws(ManagementError) -> WallInstant? {
        try connection.run("SELECT min(due) FROM accounts WHERE due IS NOT NULL").first?.moment(0)
    }

    func setDueOfRegistered(_ due: WallInstant?) throws(ManagementError) {
        try change(
            "UPDATE accounts SET due = $1 WHERE stage = $2 AND lease IS NULL AND NOT asked",
            [Self.moment(due), AccountRecord.Stage.registered.rawValue]
        )
    }

    func add(_ event: AccountEvent) throws(ManagementError) -> Int64 {
        (hasChanged, hasAddedEvents) = (true, true)
        let counting = "UPDATE account_store SET last_event = last_event + 1 RETURNING last_event"
        guard let number = try connection.run(counting).first?.optionalNumber(0) else {
            throw Self.damaged("no row that counts events")
        }
        // The text can come from anywhere, and must not make an event fail.
        let text = event.text.replacing("\0", with: "\u{FFFD}")
        try connection.run(
            """
            INSERT INTO account_events (number, name, status, text, moment, origin, request)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                "\(number)", event.identity.name, event.status.description, text, Self.moment(event.moment),
                event.origin,
                event.request?.rawValue ?? "",
            ]
        )
        return number
    }

    func events(after number: Int64, limit: Int) throws(ManagementError) -> [AccountEvent] {
        let rows = try connection.run(
            """
            SELECT number, name, status, text, moment, origin, request FROM account_events
            WHERE number > $1 ORDER BY number LIMIT $2
            """,
            ["\(number)", "\(limit)"]
        )
        var events: [AccountEvent] = []
        for row in rows {
            let event = AccountEvent(
                try Self.identity(row.text(1)),
                AccountEventStatus(row.text(2)),
                row.text(3),
                at: WallInstant(milliseconds: row.number(4)),
                from: row.text(5),
                ending: AccountRequest(rawValue: row.text(6))
            )
            events.append(event.numbered(row.number(0)))
        }
        return events
    }

    func lastEvent() throws(ManagementError) -> Int64 {
        try connection.run("SELECT last_event FROM account_store").first?.number(0) ?? 0
    }

    func forgetEvents() throws(ManagementError) {
        // Without processes, the minimum is null, and nothing is deleted.
        try change(
            """
            DELETE FROM account_events WHERE number < (SELECT min(settled) FROM account_processes WHERE until >= $1)
            AND number <= (SELECT last_event - \(AccountEvent.keptCount) FROM account_store)
            """,
            ["\(StoreClock.milliseconds(try time().elapsed))"]
        )
    }

    func account(ofAlias alias: Identity) throws(ManagementError) -> Identity? {
        let sql = "SELECT account_name, account_key FROM account_names WHERE key = $1"
        guard let row = try connection.run(sql, [alias.caselessName]).first else { return nil }
        return try Self.identity(row.text(0), key: row.text(1))
    }

    func aliases(of identity: Identity?) throws(ManagementError) -> [(alias: String, account: Identity)] {
        let sql = "SELECT key, account_name, account_key FROM account_names"
        let rows =
            if let identity {
                try connection.run(sql + " WHERE account_key = $1", [identity.caselessName])
            } else { try connection.run(sql) }
        var aliases: [(alias: String, account: Identity)] = []
        for row in rows {
            aliases.append((row.text(0), try Self.identity(row.text(1), key: row.text(2))))
        }
        return aliases
    }

    func setAlias(_ alias: Identity, of identity: Identity) throws(ManagementError) {
        try change(
            """
            INSERT INTO account_names (key, account_key, account_name) VALUES ($1, $2, $3)
            ON CONFLICT (key) DO UPDATE SET account_key = $2, account_name = $3
            """,
            [alias.caselessName, identity.caselessName, identity.name]
        )
    }

    func policyCopy(of source: String) throws(ManagementError) -> PolicyCopy? {
        let sql = "SELECT text, tag, signature, confirmed FROM account_policies WHERE source = $1"
        guard let row = try connection.run(sql, [source]).first else { return nil }
        return PolicyCopy(
            source: source,
            text: row.text(0),
            tag: row[1],
            signature: row.text(2),
            confirmed: WallInstant(milliseconds: row.number(3))
        )
    }

    func put(_ copy: PolicyCopy) throws(ManagementError) {
        try change(
            """
            INSERT INTO account_policies (source, text, tag, signature, confirmed) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (source) DO UPDATE SET text = $2, tag = $3, signature = $4, confirmed = $5
            """,
            [copy.source, copy.text, copy.tag, copy.signature, Self.moment(copy.confirmed)]
        )
    }

    func processes() throws(ManagementError) -> [AccountProcess] {
        try connection.run("SELECT name, settled, until, awaited FROM account_processes").map { row in
            let until = Duration.milliseconds(row.number(2))
            var process = AccountProcess(name: row.text(0), settled: row.number(1), until: until)
            process.isAwaited = row.bool(3)
            return process
        }
    }

    func put(_ process: AccountProcess) throws(ManagementError) {
        try change(
            """
            INSERT INTO account_processes (name, settled, until, awaited) VALUES ($1, $2, $3, $4)
            ON CONFLICT (name) DO UPDATE SET settled = $2, until = $3, awaited = $4
            """,
            [
                process.name, "\(process.settled)", "\(StoreClock.milliseconds(process.until))",
                process.isAwaited ? "t" : "f",
            ]
        )
        try change("DELETE FROM account_processes WHERE until < $1", ["\(StoreClock.milliseconds(try time().elapsed))"])
    }

    func removeProcess(_ name: String) throws(ManagementError) {
        try change("DELETE FROM account_processes WHERE name = $1", [name])
    }

    private static func moment(_ moment: WallInstant?) -> String? { moment.map { "\($0.milliseconds)" } }

    private func records(_ condition: String, _ values: [String?] = []) throws(ManagementError) -> [AccountRecord] {
        var records: [AccountRecord] = []
        for row in try connection.run("SELECT \(Self.columns) FROM accounts \(condition)", values) {
            guard let stage = AccountRecord.Stage(rawValue: row.text(2)) else {
                throw Self.damaged("an account with an unknown stage")
            }
            var record = AccountRecord(try Self.identity(row.text(1), key: row.text(0)), stage, due: row.moment(3))
            record.lastRun = row.moment(4)
            record.runs = row.number(5)
            record.lease = row[6]
            record.hadPolicy = row.bool(7)
            record.policyText = row[8]
            record.configurationText = row[9]
            record.overridesText = row[10]
            record.life = row.number(11)
            record.wasAsked = row.bool(12)
            guard let silence = AccountRecord.Silence(rawValue: Int(row.number(13))) else {
                throw Self.damaged("an account with an unknown silence")
            }
            record.silence = silence
            record.policyConfirmed = row.moment(14).map {
                StoreInstant(now: $0, elapsed: .milliseconds(row.number(15)))
            }
            records.append(record)
        }
        return records
    }

    /// The identity of a name, if it matches its key: a row that was tampered with yields no account.
    private static func identity(_ name: String, key: String? = nil) throws(ManagementError) -> Identity {
        let identity: Identity
        do { identity = try Identity(name) } catch { throw damaged("an invalid name: \(error.message)") }
        if let key, !key.utf8.elementsEqual(identity.caselessName.utf8) {
            throw damaged("the name \(identity) under another identity's key")
        }
        return identity
    }

    private static func damaged(_ what: String) -> ManagementError {
        ManagementError(.damaged, "The database of accounts has \(what). Restore its last good copy.")
    }
}
