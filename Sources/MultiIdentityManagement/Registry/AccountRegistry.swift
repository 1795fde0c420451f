public import MultiIdentity
public import MultiIdentityPolicy

/// The registered accounts of a program: enrolls them with a service, tries again, checks their policies, and lets them go.
///
/// ```swift
/// let registry = AccountRegistry(accounts: accounts, store: try SQLiteAccountStore("/var/lib/app/accounts.sqlite"),
///     service: service, credentials: credentials, policies: feed)
/// try await registry.start()                  // before serving
/// async let timers: Void = registry.run()     // until cancelled
/// try registry.register(ada)                  // once the program has authenticated her
/// ```
///
/// Processes that share the store share all of it: each request is made by one of them, and each event reaches all.
public final class AccountRegistry: Sendable {
    /// Wipes an account's data, and returns whether nothing is left; asked again after a day until it says so.
    public typealias Wipe = @Sendable (Identity) async throws -> Bool
    /// Says in words what an identity has of its own, such as rows or keys of a service; `nil` for nothing.
    public typealias Holdings = @Sendable (Identity) throws -> String?

    /// The accounts that enrolment makes managed.
    public let accounts: Accounts

    let store: any AccountStore
    let service: any EnrollmentService
    let credentials: any CredentialProvider
    let isWorkAccount: @Sendable (Identity) -> Bool
    let policies: PolicyFeed?
    /// The configuration of the program, without any account's own settings.
    public let configuration: ManagementConfiguration
    let holdings: Holdings?
    let wipe: Wipe?
    let scrubber: Scrubber
    let time: RegistryTime
    let state: RegistryState
    /// The requests that may be waited for at once, of all kinds.
    let places: Semaphore
    /// The other names of accounts that are in force in this process, as the store has them.
    let names = AccountNames()
    /// Runs the tasks of this registry where a test decides when each goes on; `nil` for the pool that all tasks share.
    let executor: (any TaskExecutor)?
    /// The executor of the registries that a test makes in its scope, and the clock that nobody sets, as it goes for them.
    package struct Surroundings: Sendable {
        package var executor: (any TaskExecutor)?
        package var ticks: @Sendable () -> ContinuousClock.Instant = { .now }

        package init() {}
    }

    @TaskLocal package static var ofTests = Surroundings()
    private let subscriptions: Locked<[PolicySubscription]>

    /// A registry.
    ///
    /// - Parameters:
    ///   - accounts: The accounts that enrolment makes managed.
    ///   - store: Where registered accounts are kept.
    ///   - service: The service that enrolls.
    ///   - credentials: The provider of credentials for it.
    ///   - isWorkAccount: Decides which accounts are an organisation's; only those are registered.
    ///   - holdings: What an identity has beside the files and keys of this package: such a name is no other name of an account
    ///     (``addAlias(_:of:)``).
    ///   - policies: The feed that policies of the service come into force by; the source of `accounts`. Without one, such
    ///     policies are passed over, and the source of `accounts` has to have them.
    ///   - configuration: The configuration.
    ///   - clock: The time of day, which events have and the registry sleeps by; what is due goes by the store's clock.
    ///   - wipe: Wipes an account's data.
    public init<Time: Clock>(
        accounts: Accounts,
        store: any AccountStore,
        service: any EnrollmentService,
        credentials: any CredentialProvider,
        isWorkAccount: @escaping @Sendable (Identity) -> Bool = { _ in true },
        holdings: Holdings? = nil,
        policies: PolicyFeed? = nil,
        configuration: ManagementConfiguration = ManagementConfiguration(),
        clock: Time = SystemWallClock(),
        wipe: Wipe? = nil
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
        places = Semaphore(atOnce: max(configuration.requestsAtOnce, 1))
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

    /// Enrolls again who was enrolled when the program ended, with the policies that were in force then.
    ///
    /// To be called before any work begins: until it has returned, nothing is allowed to anybody whom the policies do not name.
    /// Where the setting says so, the user whom the provider of credentials knows is enrolled as well before this returns; that
    /// fails silently. Where policies are required, the provider is asked with a prompt, and in a mode of one managed user
    /// this waits for that user's policy; in multi-identity mode work of each identity does (``admit(_:)``).
    ///
    /// - Throws: ``ManagementError`` where the store fails, or a required policy is not there.
    public func start() async throws(ManagementError) {
        state.isStarting = true
        defer { state.isStarting = false }
        // What runs is counted from the first piece of work on.
        if configuration.presence != nil { IdentityRevocation.isOn = true }
        // Before anything is read: from now on who removes an account waits until this process has heard.
        try showPresence(admitting: false)
        let begun = try reading { transaction in try transaction.time().now }
        // In its turn, so that no event that is newer is overtaken by what was read before.
        let loaded = await inTurn { [self] in Result { () throws(ManagementError) in try load() } }
        _ = try loaded.get()
        try showPresence()
        if configuration.enrollsAtLaunch { await enrollAtLaunch() }
        if configuration.policyRequired, accounts.mode.managesOne { try await requirePolicy(since: begun) }
        accounts.hasRead(self)
    }

    /// The name of this process in the events that come about here (``AccountEvent/origin``).
    public var origin: String { state.origin }

    /// All registered accounts, enrolled or not.
    ///
    /// - Throws: ``ManagementError`` where the store fails.
    /// - Complexity: O(*n*) in their number.
    public func registeredAccounts() throws(ManagementError) -> [AccountRecord] {
        try reading { transaction in try transaction.accounts(nil).filter(\.isRegistered) }
    }

    /// The record of an account, under any of its names; `nil` where it is not registered.
    ///
    /// - Parameter name: The account, or an alias of it.
    /// - Returns: The record.
    /// - Throws: ``ManagementError`` where the store fails.
    public func account(_ name: Identity) throws(ManagementError) -> AccountRecord? {
        try reading { transaction in
            let record = try transaction.account(Self.resolved(name, transaction))
            return record?.stage == .leaving ? nil : record
        }
    }
}
