import MultiIdentity

/// The tables of a database of accounts.
enum SQLiteSchema {
    static let version: Int64 = 5
    /// "MIDm": tells the databases of this package from others.
    static let application: Int64 = 0x4d49_446d

    static func prepare(_ connection: SQLiteConnection, _ clock: StoreClock) throws(AccountStoreError) {
        try connection.keepLog()
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run("PRAGMA secure_delete = ON")
        try connection.transaction { () throws(AccountStoreError) in
            let found = try connection.number("PRAGMA user_version")
            if found == version || found == version - 1 { try checkApplication(connection) }
            if found == version { return }
            if found == version - 1 { return try migrate(connection, clock) }
            guard found == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw AccountStoreError(
                    found > version ? .unsupportedVersion : .damaged,
                    "The database \(connection.shownPath) has version \(found), and this release has \(version). Update the release, or name the database of accounts."
                )
            }
            try connection.run(policies)
            try make(connection, clock)
            try connection.run("PRAGMA application_id = \(application)")
        }
    }

    /// Makes all tables but the policies'.
    private static func make(_ connection: SQLiteConnection, _ clock: StoreClock) throws(AccountStoreError) {
        for statement in statements { try connection.run(statement) }
        let first = clock.first
        try connection.run(
            "INSERT INTO store VALUES (1, 0, ?, 0, ?, ?, ?)",
            [.number(first.now), .number(first.wall), .number(first.ticks), .text(first.boot)]
        )
        try connection.run("PRAGMA user_version = \(version)")
    }

    /// Makes the tables anew of those of the version before; a process of that one writes nothing into them.
    private static func migrate(_ connection: SQLiteConnection, _ clock: StoreClock) throws(AccountStoreError) {
        for statement in before { try connection.run(statement) }
        try make(connection, clock)
        for statement in copies { try connection.run(statement) }
        // An event of a former name is the account's.
        let names = try connection.rows("SELECT DISTINCT name FROM events") { (row) throws(AccountStoreError) in
            row.text(0)
        }
        for name in names {
            guard let key = (try? Identity(name))?.caselessName else { continue }
            try connection.run(
                """
                UPDATE events SET name = (SELECT account_name FROM names WHERE key = ?1) WHERE name = ?2
                AND EXISTS (SELECT 1 FROM names WHERE key = ?1) AND NOT EXISTS (SELECT 1 FROM accounts WHERE key = ?1)
                """,
                [.text(key), .text(name)]
            )
        }
        for table in ["accounts_4", "events_4", "aliases", "processes"] { try connection.run("DROP TABLE \(table)") }
    }

    private static func checkApplication(_ connection: SQLiteConnection) throws(AccountStoreError) {
        guard try connection.number("PRAGMA application_id") == application else {
            throw AccountStoreError(
                .damaged,
                "The database \(connection.shownPath) is another program's. Name the database of accounts."
            )
        }
    }

    private static let policies = """
        CREATE TABLE policies (
            source TEXT PRIMARY KEY, text TEXT NOT NULL, tag TEXT, signature TEXT NOT NULL, confirmed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """

    private static let statements = [
        """
        CREATE TABLE store (
            one INTEGER PRIMARY KEY CHECK (one = 1), last_event INTEGER NOT NULL, now INTEGER NOT NULL,
            elapsed INTEGER NOT NULL, wall INTEGER NOT NULL, ticks INTEGER NOT NULL, boot TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE accounts (
            key TEXT PRIMARY KEY, name TEXT NOT NULL, stage TEXT NOT NULL, due INTEGER, last_run INTEGER,
            runs INTEGER NOT NULL, lease TEXT, had_policy INTEGER NOT NULL, policy TEXT,
            configuration TEXT, overrides TEXT, life INTEGER NOT NULL, asked INTEGER NOT NULL,
            silence INTEGER NOT NULL, heard INTEGER, heard_elapsed INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX accounts_due ON accounts (due) WHERE due IS NOT NULL",
        "CREATE INDEX accounts_stage ON accounts (stage)",
        "CREATE INDEX accounts_heard ON accounts (silence, heard) WHERE stage = 'enrolled'",
        """
        CREATE TABLE events (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, text TEXT NOT NULL,
            moment INTEGER NOT NULL, origin TEXT NOT NULL, request TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE names (
            key TEXT PRIMARY KEY, account_key TEXT NOT NULL, account_name TEXT NOT NULL,
            adopts INTEGER NOT NULL DEFAULT 1
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX names_account ON names (account_key)",
        """
        CREATE TABLE readers (
            name TEXT PRIMARY KEY, settled INTEGER NOT NULL, until INTEGER NOT NULL, awaited INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let before = [
        "DROP INDEX accounts_due", "DROP INDEX accounts_stage", "ALTER TABLE accounts RENAME TO accounts_4",
        "ALTER TABLE events RENAME TO events_4",
    ]

    private static let copies = [
        """
        INSERT INTO accounts SELECT key, name, stage, min(due, now + 172800000), last_run, runs, lease, had_policy, policy, configuration,
            overrides, 0, stage = 'enrolled', 0,
            CASE stage WHEN 'enrolled' THEN min(coalesce(policy_confirmed, now), now) END,
            CASE stage WHEN 'enrolled' THEN 0 END FROM accounts_4, store
        """,
        "INSERT INTO events SELECT number, name, status, text, moment, origin, '' FROM events_4",
        "INSERT INTO names (key, account_key, account_name) SELECT key, account_key, account_name FROM aliases",
        "UPDATE store SET last_event = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events_4'), 0)",
    ]
}
