import GRDB
import Hummingbird
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection
import SCIMUsers
import SecurityEvents
import ServiceLifecycle

/// Tenants whom a service enrolls: those that it targets have a policy and a configuration, and are wiped when it lets them go.
///
/// Everybody else works as before.
struct ManagedTenants: Service {
    let registry: AccountRegistry
    /// Receives the identity provider's events, if it sends any.
    let events: SecurityEventReceiver?
    /// The users that a directory sends, if one does.
    let users: DirectoryUsers?

    /// - Parameters:
    ///   - dataFolder: Where accounts are kept, in a database of their own.
    ///   - service: Who enrolls.
    ///   - settings: The server's credential for the service, and the identity provider of the events that are believed.
    ///   - directory: The directory that says who exists, if any.
    ///   - erasure: Wipes who left.
    ///   - clock: The time of day.
    /// - Throws: What the database throws.
    init<Time: Clock>(
        dataFolder: String,
        service: any EnrollmentService,
        settings: EnrollmentSettings,
        directory: DirectorySettings?,
        erasure: Erasure,
        clock: Time
    ) throws where Time.Instant == WallInstant {
        let feed = PolicyFeed()
        var options = AccountRegistryOptions()
        // Who is informed that a tenant is gone can rely on all processes of the database.
        options.presence = .seconds(15)
        let known = try directory.map { _ in try UserDirectory(path: dataFolder + "/users.sqlite") }
        let registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed),
            store: try SQLiteAccountStore(dataFolder + "/accounts.sqlite"),
            service: service,
            credentials: ServerCredential(token: settings.token),
            classifier: known.map { UsersOfDirectory(directory: $0) } ?? EveryAccountIsWork(),
            policies: feed,
            options: options,
            clock: clock
        ) { tenant in try await erasure.erase(tenant).isComplete }
        self.registry = registry
        users = directory.flatMap { directory in
            known.map { DirectoryUsers($0, token: directory.token, registry: registry) }
        }
        events = try settings.events.map { events in
            SecurityEventReceiver(
                keys: events.keys,
                issuer: events.issuer,
                audience: events.audience,
                received: try ReceivedTokens(in: DatabaseQueue(path: dataFolder + "/events.sqlite"))
            )
        }
    }

    /// Has everybody managed again who was, and let go who left: to be called before the first request.
    func start() async throws {
        try await registry.start()
        try await users?.service.deliver()
    }

    /// Makes requests as they are due, until the server stops; ``start()`` comes before the first request.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let deliveries: Void? = users?.run()
            await registry.run()
            _ = await deliveries
        }
    }
}

/// The server's own credential, in the name of each account.
private struct ServerCredential: CredentialProvider {
    let token: String

    func credential(
        for identity: Identity?,
        prompting: Bool,
        settings: IdentitySettings
    ) async throws -> AccountCredential? {
        identity.map { AccountCredential($0, token: token) }
    }
}

/// Registers each tenant at their first request, and refuses work where a policy is required and not there.
struct EnrollingMiddleware: RouterMiddleware {
    let registry: AccountRegistry

    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        let tenant = try Identity.required()
        do throws(AccountRegistryError) {
            // From memory, as for most requests; only others look into the store.
            if !registry.accounts.isManaged(tenant), try registry.account(tenant) == nil {
                try registry.register(tenant)
            }
            try registry.admit(tenant)
        } catch {
            switch error.code {
            case .revoked: throw Refusal(.forbidden, code: "signed_out", "This account is signed out. Sign in anew.")
            case .outOfTouch:
                throw Refusal(.serviceUnavailable, code: "out_of_touch", "The server does not reach its database.")
            case .notWorkAccount:
                throw Refusal(
                    .forbidden,
                    code: "not_in_directory",
                    "The directory does not have this account as active."
                )
            case .policyRequired: throw Refusal(.serviceUnavailable, code: "no_policy", "Its policy is not there yet.")
            default: throw error
            }
        }
        return try await next(request, context)
    }
}

extension AccountRegistry {
    /// Removes an account, and returns once none of its work runs in any process of the database: its report is answered then.
    func letGo(_ identity: Identity, because reason: String, wiping: Bool = true) async throws {
        try remove(identity, because: reason, wiping: wiping)
        guard try await settled(within: .seconds(5)) else { throw Refusal.stillAtWork }
    }
}

extension Refusal {
    static let stillAtWork = Refusal(
        .serviceUnavailable,
        code: "still_at_work",
        "Work of the account goes on. Send it again."
    )
}
