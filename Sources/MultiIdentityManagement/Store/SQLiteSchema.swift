/// The tables of a database of accounts.
enum SQLiteSchema {
    static let version: Int64 = 4
    /// "MIDm": tells the databases of this package from others.
    static let application: Int64 = 0x4d49_446d

    static func prepare(_ connection: SQLiteConnection) throws(AccountStoreError) {
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run("PRAGMA secure_delete = ON")
        try connection.transaction { () throws(AccountStoreError) in
            let found = try connection.number("PRAGMA user_version")
            if found == version { return try checkApplication(connection) }
            guard found == 0, try connection.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw AccountStoreError(
                    found > version ? .unsupportedVersion : .damaged,
                    "The database \(connection.shownPath) has version \(found), and this release has \(version). Update the release, or name the database of accounts."
                )
            }
            for statement in statements { try connection.run(statement) }
        }
    }

    private static func checkApplication(_ connection: SQLiteConnection) throws(AccountStoreError) {
        guard try connection.number("PRAGMA application_id") == application else {
            throw AccountStoreError(
                .damaged,
                "The database \(connection.shownPath) is another program's. Name the database of accounts."
            )
        }
    }

    private static let statements = [
        """
        CREATE TABLE accounts (
            key TEXT PRIMARY KEY, name TEXT NOT NULL, stage TEXT NOT NULL, due INTEGER, last_run INTEGER,
            runs INTEGER NOT NULL, lease TEXT, had_policy INTEGER NOT NULL, policy TEXT,
            configuration TEXT, overrides TEXT, policy_confirmed INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX accounts_due ON accounts (due) WHERE due IS NOT NULL",
        "CREATE INDEX accounts_stage ON accounts (stage)",
        """
        CREATE TABLE events (
            number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, status TEXT NOT NULL, text TEXT NOT NULL,
            moment INTEGER NOT NULL, origin TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX events_moment ON events (moment)",
        """
        CREATE TABLE aliases (key TEXT PRIMARY KEY, account_key TEXT NOT NULL, account_name TEXT NOT NULL)
        STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX aliases_account ON aliases (account_key)",
        """
        CREATE TABLE policies (
            source TEXT PRIMARY KEY, text TEXT NOT NULL, tag TEXT, signature TEXT NOT NULL, confirmed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE processes (name TEXT PRIMARY KEY, settled INTEGER NOT NULL, until INTEGER NOT NULL)
        STRICT, WITHOUT ROWID
        """,
        "PRAGMA user_version = \(version)",
        "PRAGMA application_id = \(application)",
    ]
}
