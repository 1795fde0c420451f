import MultiIdentity

/// The tables of a database of accounts.
enum SQLiteSchema {
    static let version: Int64 = 5
    /// "MIDm": identifies databases of this package.
    static let application: Int64 = 0x4d49_446d

    static func prepare(_ connection: SQLiteConnection, _ clock: StoreClock) throws(ManagementError) {
        try connection.keepLog()
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run("PRAGMA secure_delete = ON")
        try connection.transaction { () throws(ManagementError) in
            let found = try connection.number("PRAGMA user_version")
            if found == version { return try checkApplication(connection) }
            guard found == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw ManagementError(
                    found > version ? .unsupportedVersion : .damaged,
                    "The database \(connection.shownPath) has version \(found), and this release supports version \(version). Update the release, or name the account database."
                )
            }
            for statement in statements { try connection.run(statement) }
            let first = clock.first
            try connection.run(
                "INSERT INTO store VALUES (1, 0, ?, 0, ?, ?, ?)",
                [.number(first.now), .number(first.wall), .number(first.ticks), .text(first.boot)]
            )
            try connection.run("PRAGMA user_version = \(version)")
            try connection.run("PRAGMA application_id = \(application)")
        }
    }

    private static func checkApplication(_ connection: SQLiteConnection) throws(ManagementError) {
        guard try connection.number("PRAGMA application_id") == application else {
            throw ManagementError(
                .damaged,
                "The database \(connection.shownPath) belongs to another program. Name the account database."
            )
        }
    }

    private static let statements = [
        """
        CREATE TABLE policies (
            source TEXT PRIMARY KEY, text TEXT NOT NULL, tag TEXT, signature TEXT NOT NULL, confirmed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
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
            key TEXT PRIMARY KEY, account_key TEXT NOT NULL, account_name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX names_account ON names (account_key)",
        """
        CREATE TABLE readers (
            name TEXT PRIMARY KEY, settled INTEGER NOT NULL, until INTEGER NOT NULL, awaited INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
