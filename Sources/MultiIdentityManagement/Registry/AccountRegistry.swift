public import MultiIdentity
public import MultiIdentityPolicy

/// Tracks registered accounts, enrolls them with a service, checks their policies, and unenrolls them.
///
/// ```swift
/// let registry = AccountRegistry(accounts: accounts, store: try SQLiteAccountStore("/var/lib/app/accounts.sqlite"),
///     service: service, credentials: credentials, policies: feed)
/// try await registry.start()                  // before serving
/// async let timers: Void = registry.run()     // until cancelled
/// try registry.register(ada)                  // once the program has authenticated her
/// ```
///
/// Processes that share the store divide the work: one of them makes each request, and each event reaches all.
public final class AccountRegistry: Sendable {
    /// Wipes an account's data and returns whether nothing is left; it is called again after a day until it returns
    /// `true`.
    package typealias Wipe = @Sendable (Identity) async throws -> Bool
    /// Describes in words what an identity owns, such as rows or keys at a service; returns `nil` for nothing.
    package typealias Holdings = @Sendable (Identity) throws -> String?

    /// The accounts that enrolment makes managed.
    public let accounts: Accounts

    let store: any AccountStore
    let service: any EnrollmentService
    let credentials: any CredentialProvider
    let isWorkAccount: @Sendable (Identity) -> Bool
    let policies: PolicyFeed?
    /// The configuration of the program, without the settings of single accounts.
    package let configuration: ManagementConfiguration
    let holdings: Holdings?
    let wipe: Wipe?
    let scrubber: Scrubber
    let time: RegistryTime
    let state: RegistryState
    /// Limits the concurrent requests of all kinds.
    let places: Semaphore
    /// The aliases in force in this process, as stored.
    let names = AccountNames()
    /// Runs the tasks of this registry, so that a test decides their order; `nil` for the shared pool.
    let executor: (any TaskExecutor)?
    /// The executor and the monotonic clock of the registries that a test makes in its scope.
    package struct Surroundings: Sendable {
        package var executor: (any TaskExecutor)?
        package var ticks: @Sendable () -> ContinuousClock.Instant = { .now }

        package init() {}
    }

    @TaskLocal package static var ofTests = Surroundings()
    private let subscriptions: Locked<[Subscription]>

    /// Creates a registry.
    ///
    /// - Parameters:
    ///   - accounts: The accounts that enrolment makes managed.
    ///   - store: The store of registered accounts.
    ///   - service: The enrolment service.
    ///   - credentials: The provider of credentials for the service.
    ///   - isWorkAccount: Decides which accounts belong to an organization; only those are registered.
    ///   - holdings: Describes what an identity owns besides files and keys of this package; such a name cannot become
    ///     an alias (``addAlias(_:of:)``).
    ///   - policies: The feed that receives the service's policies; it is the source of `accounts`. Without one, the
    ///     service's policies are ignored, and the source of `accounts` must have them.
    ///   - configuration: The configuration.
    ///   - clock: The time of day, for events and sleeping; due times follow the store's clock.
    ///   - wipe: Wipes an account's data, and returns whether nothing is left; retried after a day until it is.
    public init<Time: Clock>(
        accounts: Accounts,
        store: any AccountStore,
        service: any EnrollmentService,
        credentials: any CredentialProvider,
        isWorkAccount: @escaping @Sendable (Identity) -> Bool = { _ in true },
        holdings: (@Sendable (Identity) throws -> String?)? = nil,
        policies: PolicyFeed? = nil,
        configuration: ManagementConfiguration = ManagementConfiguration(),
        clock: Time = SystemWallClock(),
        wipe: (@Sendable (Identity) async throws -> Bool)? = nil
    ) where Time.Instant == WallInstant {
        self.accounts = accounts
        self.store = store
        self.service = service
        self.credentials = credentials
        self.isWorkAccount = isWorkAccount
        self.policies = policies
        self.configuration = configuration
        self.holdings = holdings
        self.wipe = wipe
        executor = Self.ofTests.executor
        scrubber = Scrubber(configuration)
        time = RegistryTime(clock, configuration, ticks: Self.ofTests.ticks)
        state = RegistryState()
        places = Semaphore(atOnce: max(configuration.maxConcurrentRequests, 1))
        subscriptions = Locked([])
        accounts.awaits(self)
        let subscription = accounts.onChange { [weak self] change in
            if case .left(let identity) = change { self?.hasLeft(identity) }
            if case .revoked(let identity, .wiped) = change { self?.isBeingWiped(identity) }
            if case .readmitted(let identity) = change { self?.readmitted(identity) }
        }
        let followed = followEvents()
        subscriptions.withLock { $0 = [subscription, followed] }
    }

    /// Restores the accounts that were enrolled when the program last ended, with their policies.
    ///
    /// Call it before any work begins: until it has returned, accounts that no policy names are allowed nothing. With
    /// ``ManagementConfiguration/enrollsAtLaunch``, the user that the provider knows is enrolled too, with a prompt if
    /// policies are required; a failure is silent. If policies are required and one user is managed, this waits for that
    /// user's policy; in multi-identity mode, each identity's work is refused without one (``admit(_:)``).
    ///
    /// - Throws: ``ManagementError`` if the store fails, or a required policy is missing.
    public func start() async throws(ManagementError) {
        state.isStarting = true
        defer { state.isStarting = false }
        // Before the first work begins, so that all of it is counted.
        if configuration.heartbeatTimeout != nil { IdentityRevocation.isOn = true }
        // Before anything is read: from now on, removals wait until this process has seen them.
        try showPresence(admitting: false)
        let begun = try reading { transaction in try transaction.time().now }
        // In order with events, so that data read before cannot overwrite a newer event.
        let loaded = await inTurn { [self] in Result { () throws(ManagementError) in try load() } }
        _ = try loaded.get()
        try showPresence()
        if configuration.enrollsAtLaunch { await enrollAtLaunch() }
        if configuration.policyRequired, accounts.mode.managesOne { try await requirePolicy(since: begun) }
        accounts.hasRead(self)
    }

    /// The name of this process in the events that it causes (``AccountEvent/origin``).
    public var origin: String { state.origin }

    /// Returns all registered accounts, enrolled or not.
    ///
    /// - Throws: ``ManagementError`` if the store fails.
    /// - Complexity: O(*n*) in their number.
    public func registeredAccounts() throws(ManagementError) -> [AccountRecord] {
        try reading { transaction in try transaction.accounts(nil).filter(\.isRegistered) }
    }

    /// Returns the record of an account; `nil` if it is not registered.
    ///
    /// - Parameter name: The account, or an alias of it.
    /// - Returns: The record.
    /// - Throws: ``ManagementError`` if the store fails.
    public func account(_ name: Identity) throws(ManagementError) -> AccountRecord? {
        try reading { transaction in
            let record = try transaction.account(Self.resolved(name, transaction))
            return record?.stage == .leaving ? nil : record
        }
    }
}
