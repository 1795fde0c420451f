public import MultiIdentity
public import MultiIdentityPolicy

/// A store of registered accounts, their timers and events, which several processes can share.
///
/// ``SQLiteAccountStore`` conforms.
public protocol AccountStore: Sendable {
    /// Runs `body` as one transaction, isolated from all processes, and durable as a whole once it returns.
    ///
    /// - Parameter body: Reads and changes the store; it calls nothing else.
    /// - Returns: The result of `body`.
    /// - Throws: ``ManagementError``; nothing has changed.
    @_spi(Stores) func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value

    /// Runs `body`, which only reads, on one state of the store; it neither waits for writers nor blocks them.
    ///
    /// - Parameter body: Reads the store; it calls nothing else.
    /// - Returns: The result of `body`.
    /// - Throws: ``ManagementError``.
    @_spi(Stores) func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value

    /// Calls `changed` soon after another process has added events, earlier than polling would notice.
    ///
    /// - Parameter changed: Called on any thread, possibly without a change. Missed events are found at the registry's
    ///   next poll.
    /// - Returns: The subscription; `nil` if the store cannot notify.
    @_spi(Stores) func onChange(_ changed: @escaping @Sendable () -> Void) -> Subscription?
}

@_spi(Stores) extension AccountStore {
    /// Throws `.unavailable`: only the stores of this repository can keep accounts.
    public func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        throw ManagementError(
            .unavailable,
            "\(Self.self) keeps no accounts. Use SQLiteAccountStore or PostgreSQLAccountStore."
        )
    }
    /// Returns `nil`: the store cannot notify.
    public func onChange(_ changed: @escaping @Sendable () -> Void) -> Subscription? { nil }

    /// Runs `body` as a transaction, for stores that cannot read during a write.
    public func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value { try transaction(body) }
}

/// A view of a store during one transaction.
@_spi(Stores) public protocol AccountTransaction {
    /// Returns the time by the store's clock, which is the same throughout the transaction.
    func time() throws(ManagementError) -> StoreInstant

    /// Returns the record of an account; `nil` if there is none.
    func account(_ identity: Identity) throws(ManagementError) -> AccountRecord?
    /// Stores a record, in place of the account's earlier one.
    func put(_ record: AccountRecord) throws(ManagementError)
    /// Removes an account and its aliases.
    func remove(_ identity: Identity) throws(ManagementError)
    /// Returns all accounts of a stage; of every stage for `nil`.
    func accounts(_ stage: AccountRecord.Stage?) throws(ManagementError) -> [AccountRecord]
    /// Returns at most `limit` accounts of a stage, in a stable order, after a given one or from the first.
    func accounts(
        _ stage: AccountRecord.Stage,
        after last: Identity?,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord]
    /// Returns the accounts with a request due at a time, the earliest first.
    func due(at moment: WallInstant, limit: Int) throws(ManagementError) -> [AccountRecord]
    /// Returns at most `limit` enrolled accounts at a step of silence whose policy was not confirmed since a time, the
    /// longest silent first.
    func silent(
        _ silence: AccountRecord.Silence,
        since moment: WallInstant,
        limit: Int
    ) throws(ManagementError) -> [AccountRecord]
    /// Returns the time of the next request of all accounts.
    func nextDue() throws(ManagementError) -> WallInstant?
    /// Sets the time of the next request of all registered accounts that are not enrolled, except those with a lease
    /// and those whose possible enrolment at the service must be undone.
    func setDueOfRegistered(_ due: WallInstant?) throws(ManagementError)

    /// Adds an event with the next number, whatever its own number is.
    func add(_ event: AccountEvent) throws(ManagementError) -> Int64
    /// Returns the events after a number, in order.
    func events(after number: Int64, limit: Int) throws(ManagementError) -> [AccountEvent]
    /// Returns the number of the last event ever; 0 before the first.
    func lastEvent() throws(ManagementError) -> Int64
    /// Removes the events that every process present, by the store's clock, has settled, except the last; none if no
    /// process is present.
    func forgetEvents() throws(ManagementError)

    /// Returns the account that a name is an alias of; `nil` if there is none.
    func account(ofAlias alias: Identity) throws(ManagementError) -> Identity?
    /// Returns the caseless names (`Identity.caselessName`) of the aliases, with their accounts, for one account or
    /// all.
    func aliases(of identity: Identity?) throws(ManagementError) -> [(alias: String, account: Identity)]
    /// Makes a name an alias of an account.
    func setAlias(_ alias: Identity, of identity: Identity) throws(ManagementError)

    /// Returns the last policies of a service, by the name of their source; `nil` if there are none.
    func policyCopy(of source: String) throws(ManagementError) -> PolicyCopy?
    /// Stores policies in place of those of the same source.
    func put(_ copy: PolicyCopy) throws(ManagementError)

    /// Returns the processes that have reported that they share the store.
    func processes() throws(ManagementError) -> [AccountProcess]
    /// Stores a process in place of the one of the same name, and removes those that have expired.
    func put(_ process: AccountProcess) throws(ManagementError)
    /// Removes a process.
    func removeProcess(_ name: String) throws(ManagementError)
}

/// A process that shares a store, as the others know it.
@_spi(Stores) public struct AccountProcess: Hashable, Sendable {
    /// The name that it gave itself at its start.
    public let name: String
    /// The number of the last event whose removals have settled in it.
    public var settled: Int64
    /// The `StoreInstant.elapsed` until which it counts as present.
    public var until: Duration
    /// Indicates whether others wait for it when an account is removed; otherwise they only keep events for it.
    public var isAwaited = true

    /// Creates a process.
    ///
    /// - Parameters:
    ///   - name: The name that it gave itself at its start.
    ///   - settled: The number of the last event whose removals have settled in it.
    ///   - until: The `StoreInstant.elapsed` until which it counts as present.
    public init(name: String, settled: Int64, until: Duration) {
        self.name = name
        self.settled = settled
        self.until = until
    }
}
