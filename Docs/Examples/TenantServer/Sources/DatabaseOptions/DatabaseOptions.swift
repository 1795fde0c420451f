package import ArgumentParser
package import Configuration

/// The options of either program that name its database, over what the environment says.
package struct DatabaseOptions: ParsableArguments {
    /// The file or URL.
    @Option(
        help: ArgumentHelp(
            "The database: a file's path, or postgresql://app@host/database, instead of the environment's.",
            discussion: "Others of the machine see a program's arguments: leave passwords to the file of PGPASSFILE."
        )
    )
    package var database: String?

    /// The URL for workers.
    @Option(help: "The same database as the role job_worker, where it is PostgreSQL.")
    package var workersDatabase: String?

    /// Options that are read from a program's arguments.
    package init() {}

    /// Reads settings: these, and then the environment's.
    ///
    /// - Parameter scope: The name before `database` there.
    /// - Returns: What reads both.
    package func reader(over scope: String) -> ConfigReader {
        let given = [(AbsoluteConfigKey, ConfigValue)](
            [("\(scope).database", database), ("\(scope).workers.database", workersDatabase)].compactMap { name, text in
                text.map { text in
                    (AbsoluteConfigKey(ConfigKey(name)), ConfigValue(.string(text), isSecret: true))
                }
            }
        )
        return ConfigReader(providers: [
            InMemoryProvider(values: Dictionary(given) { first, _ in first }), EnvironmentVariablesProvider(),
        ])
    }
}
