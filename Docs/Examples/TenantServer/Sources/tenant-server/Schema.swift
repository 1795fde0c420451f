import ArgumentParser
import TenantServer

/// Prints what PostgreSQL needs.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the statements that make the tables of jobs on PostgreSQL, with their policies.",
        discussion: """
            For the role that owns the tables, which is not the one that serves: tenant-server schema | psql -1 "$DATABASE". \
            identity.sql of Docs/Examples/Databases comes first.
            """
    )

    func run() { print(TenantServer.postgreSQLSchema) }
}
