public import MultiIdentity
public import MultiIdentityPolicy

/// A store of registered accounts, their timers and events, which several processes can share.
///
/// ``SQLiteAccountStore`` is one.
public protocol AccountStore: Sendable {
    /// Runs `body` as one transaction: alone among all processes, and lasting whole or not at all once it returns.
    ///
    /// - Parameter body: Reads and changes; it calls nobody else.
    /// - Returns: What `body` returns.
    /// - Throws: ``ManagementError``, and then nothing has changed.
    func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value

    /// Runs `body`, which only reads, on one state of the store: it waits for no process that writes, and has none wait.
    ///
    /// - Parameter body: Reads; it calls nobody else.
    /// - Returns: What `body` returns.
    /// - Throws: ``ManagementError``.
    func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value

    /// Calls `changed` soon after another process has added events, so that nobody has to look for them.
    ///
    /// - Parameter changed: Called on any thread, also for nothing; what it misses is found when the registry looks.
    /// - Returns: What keeps it subscribed; `nil` where the store hears of no other process.
    func onChange(_ changed: @escaping @Sendable () -> Void) -> PolicySubscription?
}

extension AccountStore {
    /// Hears of no other process.
    public func onChange(_ changed: @escaping @Sendable () -> Void) -> PolicySubscription? { nil }

    /// Runs `body` as a transaction, for stores that cannot read beside one that writes.
    public func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value { try transaction(body) }
}

/// A view of a store during one transaction.
public protocol AccountTransaction {
    /// The moment by the store's clock, the same in all of the transaction.
    func time() throws(ManagementError) -> StoreInstant

    /// The record of an account, or `nil`.
    func account(_ identity: Identity) throws(ManagementError) -> AccountRecord?
    /// Keeps a record in place of the account's one before.
    func put(_ record: AccountRecord) throws(ManagementError)
    /// Forgets an account and its aliases.
    func remove(_ identity: Identity) throws(ManagementError)
    /// All accounts of a stage; of every stage for `nil`.
    func accounts(_ stage: AccountRecord.Stage?) throws(ManagementError) -> [AccountRecord]
    /// So many accounts of a stage, in an order that stays the same, after one of them or from the first on.
    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord]
    /// The accounts with a request due at a moment, those due first before others.
    func due(at moment: WallInstant, limit: Int) throws(ManagementError) -> [AccountRecord]
    /// So many enrolled accounts at a step of silence whose policy was not confirmed since a moment, the longest silent first.
    func silent(
        _ silence: AccountRecord.Silence,
        since moment: WallInstant,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord]
    /// The moment of the next request of all.
    func nextDue() throws(ManagementError) -> WallInstant?
    /// Sets the moment of the next request of all accounts that are registered and not enrolled, but for those with a lease and those
    /// that the service may have enrolled, which is to be taken back.
    func setDueOfRegistered(_ due: WallInstant?) throws(ManagementError)

    /// Adds an event, numbered next to the last one; its own number is passed over.
    func add(_ event: AccountEvent) throws(ManagementError) -> Int64
    /// The events after a number, in order.
    func events(after number: Int64, limit: Int) throws(ManagementError) -> [AccountEvent]
    /// The number of the last event ever; 0 before the first.
    func lastEvent() throws(ManagementError) -> Int64
    /// Forgets events before the last one that every process has settled which is there by the store's clock; without any, none.
    func forgetEvents() throws(ManagementError)

    /// The account that a name is an alias of, or `nil`.
    func account(ofAlias alias: Identity) throws(ManagementError) -> Identity?
    /// The caseless names (`Identity.caselessName`) that are aliases, with their accounts; those of one account, or all.
    func aliases(of identity: Identity?) throws(ManagementError) -> [(alias: String, account: Identity)]
    /// Makes a name an alias of an account.
    func setAlias(_ alias: Identity, of identity: Identity) throws(ManagementError)

    /// The policies that a service gave last, by the name of their source, or `nil`.
    func policyCopy(of source: String) throws(ManagementError) -> PolicyCopy?
    /// Keeps policies in place of those of the same source.
    func put(_ copy: PolicyCopy) throws(ManagementError)

    /// The processes that share the store, as far as they have said so.
    func processes() throws(ManagementError) -> [AccountProcess]
    /// Keeps a process in place of the one of the same name, and forgets those whose time is over.
    func put(_ process: AccountProcess) throws(ManagementError)
    /// Forgets a process.
    func removeProcess(_ name: String) throws(ManagementError)
}

/// A process that shares a store, as the others know it.
public struct AccountProcess: Hashable, Sendable {
    /// The name that it gave itself when it started.
    @_spi(Stores) public let name: String
    /// The number of the event up to which those who left work in it no more.
    @_spi(Stores) public var settled: Int64
    /// The ``StoreInstant/elapsed`` up to which it counts as there.
    @_spi(Stores) public var until: Duration
    /// Indicates whether others wait for it when an account is removed; else they only keep events for it.
    @_spi(Stores) public var isAwaited = true

    /// A process.
    ///
    /// - Parameters:
    ///   - name: The name that it gave itself when it started.
    ///   - settled: The number of the event up to which those who left work in it no more.
    ///   - until: The ``StoreInstant/elapsed`` up to which it counts as there.
    @_spi(Stores) public init(name: String, settled: Int64, until: Duration) {
        self.name = name
        self.settled = settled
        self.until = until
    }
}
