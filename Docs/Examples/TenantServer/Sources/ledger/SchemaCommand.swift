import ArgumentParser
import LedgerService

/// Prints what PostgreSQL needs.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the statements that make the ledger's tables on PostgreSQL, with their policies.",
        discussion: """
            For the role that owns the tables, which is not the one that serves: ledger schema | psql -1 "$DATABASE". \
            identity.sql of Docs/Examples/Databases comes first.
            """
    )

    func run() { print(LedgerServer.postgreSQLSchema) }
}
