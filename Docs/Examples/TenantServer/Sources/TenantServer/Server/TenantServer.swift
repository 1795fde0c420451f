public import Hummingbird
import HummingbirdIdentity
public import Logging
import MultiIdentity
import MultiIdentityManagement
import SCIMUsers
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
        try application(settings, keeping: keeping, logger: logger, clock: SystemWallClock())
    }

    /// As ``application(_:keeping:logger:)``, with another time of day for enrolment.
    static func application<Time: Clock>(
        _ settings: ServerSettings,
        keeping: IdentityKeeping = .carried,
        logger: Logger,
        clock: Time
    ) throws -> Application<RouterResponder<TenantContext>> where Time.Instant == WallInstant {
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
        let managed = try settings.enrollment.map { enrollment in
            guard let erasure else {
                throw SettingsError("TENANT_ENROLLMENT_URL is set, and TENANT_MASTER_KEY is not: who leaves is wiped.")
            }
            return try ManagedTenants(
                dataFolder: settings.dataFolder,
                service: EnrollmentOverHTTP(url: enrollment.url),
                settings: enrollment,
                directory: settings.directory,
                erasure: erasure,
                clock: clock
            )
        }
        if settings.directory != nil, managed == nil {
            throw SettingsError(
                "TENANT_SCIM_TOKEN is set, and TENANT_ENROLLMENT_URL is not: those who leave are let go there."
            )
        }
        let report = ServerReport(settings: settings, keeping: keeping, erasure: erasure, managed: managed)
        let listening = settings.reportSocket.map { ReportListening(path: $0, report: report) }
        let services: [(any Service)?] = [workshop.background, jobs, ledger, erasure, managed, listening]
        return application(
            settings,
            keeping: keeping,
            logger: logger,
            workshop: workshop,
            erasure: erasure,
            managed: managed,
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
        managed: ManagedTenants? = nil,
        services: [any Service]
    ) -> Application<RouterResponder<TenantContext>> {
        var application = Application(
            router: router(workshop, settings, keeping: keeping, erasure: erasure, managed: managed),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                serverName: "tenant-server"
            ),
            // Stopped after the server: what its last requests left behind is done before the process ends.
            services: services,
            logger: logger
        )
        // Who was enrolled is managed again before the first request.
        if let managed { application.beforeServerStarts { try await managed.start() } }
        return application
    }

    static func router(
        _ workshop: Workshop,
        _ settings: ServerSettings,
        keeping: IdentityKeeping,
        erasure: Erasure?,
        managed: ManagedTenants?
    ) -> Router<TenantContext> {
        let router = Router(context: TenantContext.self)
        router.add(middleware: RefusalMiddleware())
        router.get("health") { _, _ in "ok\n" }
        if let managed, let events = managed.events {
            SecurityEventRoute(receiver: events, registry: managed.registry).add(to: router)
        }
        managed?.users?.service.add(to: router)

        let tenants = router.group()
        addUser(to: tenants, authority: settings.authority, keeping: keeping)
        if erasure != nil { tenants.add(middleware: AdmissionMiddleware()) }
        if let managed { tenants.add(middleware: EnrollingMiddleware(registry: managed.registry)) }
        if !settings.countedUsers.isEmpty { tenants.add(middleware: RequestCounting(naming: settings.countedUsers)) }
        tenants.add(middleware: MarkerMiddleware())
        TenantRoutes(workshop: workshop).add(to: tenants)
        if let managed { ManagedRoutes(registry: managed.registry).add(to: tenants) }
        let operators = tenants.group().add(middleware: OperatorMiddleware())
        LivePage().add(to: router, operators: operators)
        ServerReport(settings: settings, keeping: keeping, erasure: erasure, managed: managed).add(to: operators)
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
