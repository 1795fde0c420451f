import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import Synchronization
import Testing

extension ManagementConfiguration {
    /// Returns the default configuration with changes.
    static func with(_ change: (inout Self) -> Void) -> Self {
        var configuration = Self()
        change(&configuration)
        return configuration
    }
}

/// A program with a registry, which can be restarted on the same store.
final class RegistryScene: Sendable {
    static let names = Atomic<Int>(0)

    let clock: SteppedClock
    let service: ScriptedService
    let store: any AccountStore
    let feed: PolicyFeed
    let accounts: Accounts
    let registry: AccountRegistry
    let events: AsyncStream<AccountEvent>
    let wiped = Locked<[Identity]>([])

    init(
        mode: AccountsMode = .multi,
        standard: Policy? = .everything,
        configuration: ManagementConfiguration = ManagementConfiguration(),
        isWorkAccount: @escaping @Sendable (Identity) -> Bool = { _ in true },
        store: (any AccountStore)? = nil,
        clock: SteppedClock = SteppedClock(),
        service: ScriptedService = ScriptedService(),
        audit: (any AuditSink)? = nil,
        holdings: AccountRegistry.Holdings? = nil,
        isRead: Bool = true,
        wipe: AccountRegistry.Wipe? = nil
    ) {
        self.clock = clock
        self.service = service
        let store = store ?? SQLiteAccountStore(clock: clock)
        self.store = store
        feed = PolicyFeed(PolicySet(standard: standard))
        accounts = Accounts(mode: mode, policies: feed, levels: IdentityLevels(), audit: audit)
        let wiped = wiped
        registry = AccountRegistry(
            accounts: accounts,
            store: store,
            service: service,
            credentials: service,
            isWorkAccount: isWorkAccount,
            holdings: holdings,
            policies: feed,
            configuration: configuration,
            clock: clock,
            wipe: wipe ?? { identity in
                wiped.withLock { $0.append(identity) }
                return true
            }
        )
        events = registry.events
        // As after the start on a store without accounts.
        if isRead { accounts.hasRead(registry) }
    }

    /// Returns the next program on the same store.
    func restarted(configuration: ManagementConfiguration? = nil, isRead: Bool = true) -> RegistryScene {
        registry.abandon()
        return beside(configuration: configuration, isRead: isRead)
    }

    /// Returns another process on the same store, with the same service.
    func beside(configuration: ManagementConfiguration? = nil, isRead: Bool = true) -> RegistryScene {
        RegistryScene(
            mode: accounts.mode,
            configuration: configuration ?? registry.configuration,
            store: store,
            clock: clock,
            service: service,
            isRead: isRead
        )
    }

    /// Starts the next program on the same store, and returns it.
    func startedAgain() async throws -> RegistryScene {
        let next = restarted()
        try await next.registry.start()
        return next
    }

    /// Registers an account, and waits for an event.
    func register(_ identity: Identity, until status: AccountEventStatus) async throws {
        try registry.register(identity)
        _ = await statuses(until: status)
    }

    /// Registers an account, and waits until it is enrolled.
    func enroll(_ identity: Identity) async throws { try await register(identity, until: .restartRequested) }

    /// Enrolls an account, and returns the scene.
    func enrolled(_ identity: Identity) async throws -> RegistryScene {
        try await enroll(identity)
        return self
    }

    /// Returns all events in the store.
    func storedEvents() throws -> [AccountEvent] {
        try store.reading { (transaction) throws(ManagementError) in try transaction.events(after: 0, limit: .max) }
    }

    /// Returns an account that no other test uses: a revocation applies to the whole process.
    static func account() -> Identity {
        let number = names.add(1, ordering: .relaxed).newValue
        do { return try Identity("account\(number)@contoso.com") } catch { fatalError("\(error)") }
    }

    /// Returns the statuses in order, up to and including one; gives up after a minute.
    func statuses(
        until last: AccountEventStatus,
        _ location: SourceLocation = #_sourceLocation
    ) async -> [AccountEventStatus] {
        await withTaskGroup(of: [AccountEventStatus]?.self) { [events] group in
            group.addTask {
                var statuses: [AccountEventStatus] = []
                for await event in events {
                    statuses.append(event.status)
                    if event.status == last { break }
                }
                return statuses
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(60))
                return nil
            }
            let statuses = await group.next() ?? nil
            group.cancelAll()
            if statuses == nil { Issue.record("\(last) does not come to be.", sourceLocation: location) }
            return statuses ?? []
        }
    }

    func pass(hours: Int, minutes: Int = 0) async {
        clock.advance(by: .seconds(hours * 3_600 + minutes * 60))
        await registry.runDue()
    }
}
