public import Hummingbird
import HummingbirdIdentity
public import Logging
import MultiIdentity
import ServiceLifecycle

/// The server: its middleware, its routes, and what else runs beside it until it stops.
public enum TenantServer: Sendable {
    /// - Parameters:
    ///   - settings: Its settings.
    ///   - keeping: The way in which it keeps its user.
    ///   - logger: Where it logs.
    /// - Returns: The server, to be run.
    /// - Throws: ``SettingsError``, or what the file system throws.
    public static func application(
        _ settings: ServerSettings,
        keeping: IdentityKeeping = .carried,
        logger: Logger
    ) throws -> some ApplicationProtocol {
        let ledger = try settings.ledger.map { try LedgerClient(host: $0.host, port: $0.port, signing: $0.signing()) }
        let tenants = try settings.masterKey.map { masterKey in
            guard keeping == .carried else {
                throw SettingsError(
                    "TENANT_MASTER_KEY is set, and files are protected for whom the package sees: unset it for a server without."
                )
            }
            return try TenantKeeping(dataFolder: settings.dataFolder, masterKey: masterKey)
        }
        let jobs = try settings.jobs.map {
            try JobsInDatabase(
                $0.database,
                keys: $0.keys,
                tenantKeys: tenants?.keys,
                keeping: keeping,
                logger: logger
            )
        }
        let workshop = try Workshop(
            keeping: keeping,
            dataFolder: settings.dataFolder,
            jobs: jobs,
            ledger: ledger,
            storage: tenants?.files
        )
        let erasure = try tenants.map {
            try Erasure(dataFolder: settings.dataFolder, tenants: $0, workshop: workshop, logger: logger)
        }
        let services: [(any Service)?] = [workshop.background, jobs, ledger, erasure]
        return application(
            settings,
            keeping: keeping,
            logger: logger,
            workshop: workshop,
            erasure: erasure,
            services: services.compactMap(\.self)
        )
    }

    /// The statements that make the tables of jobs and their notes on PostgreSQL, with their policies.
    public static var postgreSQLSchema: String { PostgreSQLJobDatabase.schema }

    static func application(
        _ settings: ServerSettings,
        keeping: IdentityKeeping,
        logger: Logger,
        workshop: Workshop,
        erasure: Erasure?,
        services: [any Service]
    ) -> Application<RouterResponder<TenantContext>> {
        Application(
            router: router(workshop, settings, keeping: keeping, erasure: erasure),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "tenant-server"
            ),
            // Stopped after the server: what its last requests left behind is done before the process ends.
            services: services,
            logger: logger
        )
    }

    static func router(
        _ workshop: Workshop,
        _ settings: ServerSettings,
        keeping: IdentityKeeping,
        erasure: Erasure?
    ) -> Router<TenantContext> {
        let router = Router(context: TenantContext.self)
        router.add(middleware: RefusalMiddleware())
        router.get("health") { _, _ in "ok\n" }

        let tenants = router.group()
        addUser(to: tenants, authority: settings.authority, keeping: keeping)
        if erasure != nil { tenants.add(middleware: AdmissionMiddleware()) }
        if !settings.countedUsers.isEmpty { tenants.add(middleware: RequestCounting(naming: settings.countedUsers)) }
        tenants.add(middleware: MarkerMiddleware())
        TenantRoutes(workshop: workshop).add(to: tenants)
        let operators = tenants.group().add(middleware: OperatorMiddleware())
        LivePage().add(to: router, operators: operators)
        if let erasure { OperatorRoutes(erasure: erasure).add(to: operators) }
        return router
    }

    /// Adds the middleware that finds the user of a request, and keeps it: with the package it is one line, the first case.
    static func addUser(
        to routes: some RouterMethods<TenantContext>,
        authority: TokenAuthority,
        keeping: IdentityKeeping
    ) {
        _ = routes.add(middleware: AuthenticationMiddleware(verifier: TokenVerifier(authority: authority)))
        switch keeping {
        case .carried: _ = routes.add(middleware: IdentityMiddleware { _, context in try context.user() })
        case .unsafePlainDispatch: _ = routes.add(middleware: ThreadUserMiddleware())
        case .withoutIdentity: _ = routes.add(middleware: PassedUserMiddleware())
        }
    }
}
