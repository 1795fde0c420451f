import ArgumentParser

/// The program.
@main struct TenantServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant-server",
        abstract: "A server for many tenants that knows, wherever it works, which tenant it works for.",
        discussion: "Settings come from the environment: TENANT_JWT_SECRET has to be set.",
        subcommands: [Serve.self, Token.self, Schema.self],
        defaultSubcommand: Serve.self
    )
}
