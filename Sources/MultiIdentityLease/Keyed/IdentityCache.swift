public import MultiIdentity

/// A bounded cache of values by key and owner; values can expire, and a revocation removes those of the identity.
///
/// ```swift
/// let titles = IdentityCache<Int, String>(limit: 10_000, lifetime: .seconds(60))
/// let title = try await titles.value(for: 7) { try await load(7) }  // ada's, if this is ada's work
/// ```
public final class IdentityCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Storage = CacheStorage<Key, Value>

    private struct State {
        var storage: Storage
        /// Sleeps until the next value expires; `nil` if none does.
        var sleeper: Sleeper?
        var lastSleeper: UInt64 = 0
    }

    private struct Sleeper {
        let number: UInt64
        var task: Task<Void, Never>?
    }

    private let sharing: IdentitySharing
    private let lifetime: Duration?
    private let clock: LeaseClock
    private let flights = FlightTable<Key, CacheStorage<Key, Value>.Entry>()
    private let state: Locked<State>
    private let revoked = RevokedIdentities()

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - sharing: The callers that share the values.
    ///   - limit: The maximum number of values, for all identities together. Values below 1 count as 1. An identity that uses no
    ///     more than its share, the limit divided by the number of identities, loses no value to others.
    ///   - lifetime: How long a value is kept; `nil` keeps it until it is evicted.
    ///   - clock: The clock that measures the lifetime.
    public init(
        _ sharing: IdentitySharing = .perIdentity,
        limit: Int,
        lifetime: Duration? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.sharing = sharing
        self.lifetime = lifetime
        self.clock = LeaseClock(clock)
        state = Locked(State(storage: Storage(limit: max(1, limit))))
        // Only what belongs to the revoked life is removed, even if this runs late.
        revoked.watch { [weak self] in self?.removeAll(involving: $0) { $0.refusal != nil } }
    }

    deinit {
        revoked.stop()
        state.withLock { $0.sleeper?.task }?.cancel()
    }

    /// The number of values in the cache.
    public var count: Int { state.withLock { $0.storage.count } }

    /// Returns the cached value for a key and the caller, or loads it and caches the result.
    ///
    /// Callers that ask during a load get that load's value, as in ``IdentitySingleFlight``.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - load: Loads the value, as the first caller, or as nobody if the values are shared.
    /// - Returns: The value.
    /// - Throws: The error of `load`, which is not cached; ``LeaseError`` if no identity is bound, or if a load would wait for
    ///   itself (`.wouldDeadlock`); `IdentityError` with `.revoked` if the owner is revoked before or during the call.
    public func value(for key: Key, load: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let owned = OwnedKey(owner: try sharing.owner(), key: key)
        if let value = try kept(owned) { return value }
        let loaded = try await flights.value(for: owned, sharing) { [self] in
            entry(try await load())
        } landed: { [self] in
            let removed = try? keep($0, owned)
            return { [self] in
                withExtendedLifetime(removed) {}
                watch()
            }
        }
        return loaded.value
    }

    /// Returns the cached value for a key and the caller, or `nil`.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value.
    /// - Throws: ``LeaseError`` if no identity is bound; `IdentityError` with `.revoked` if the owner is revoked.
    public func value(for key: Key) throws -> Value? {
        try kept(OwnedKey(owner: try sharing.owner(), key: key))
    }

    /// Caches a value for a key and the caller; the result of a load of that key in progress is not cached.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its key.
    /// - Throws: ``LeaseError`` if no identity is bound, and with `.identityNotAllowed` if the cache is shared and the caller has an
    ///   identity; `IdentityError` with `.revoked` if the owner is revoked.
    public func store(_ value: Value, for key: Key) throws {
        let owner = try sharing.owner()
        if sharing == .shared, let owner = OwnerHere.current?.owner.identity, !owner.isNobody {
            throw LeaseError(
                .identityNotAllowed,
                """
                Work of \(owner) tried to store a value that all callers share. Load it with value(for:load:), which runs as \
                nobody, or store it as nobody if it belongs to no one.
                """
            )
        }
        let (entry, owned) = (entry(value), OwnedKey(owner: owner, key: key))
        // First: the result of a load that began earlier must not replace this value.
        flights.close(owned)
        let removed = try keep(entry, owned)
        withExtendedLifetime(removed) {}
        watch()
    }

    /// Removes all values of one identity, and drops the results of its loads in progress; a revocation does this automatically.
    ///
    /// - Parameter identity: The owner.
    /// - Complexity: O(*n*) in the number of its values.
    public func removeAll(of identity: Identity) {
        flights.close(of: identity)
        removeAll(involving: identity) { $0.identity == identity }
    }

    private func removeAll(involving identity: Identity, where isOut: (WorkOwner) -> Bool) {
        let (removed, sleeper) = state.withLock { state -> (any Sendable, Task<Void, Never>?) in
            let removed = state.storage.removeAll(involving: identity, where: isOut)
            if state.storage.nextEnd != nil { return (removed, nil) }
            defer { state.sleeper = nil }
            return (removed, state.sleeper?.task)
        }
        // Outside the lock, as everywhere: a value's captures may call this cache when they are released.
        withExtendedLifetime(removed) {}
        sleeper?.cancel()
    }

    private func entry(_ value: Value) -> Storage.Entry {
        Storage.Entry(value: value, end: lifetime.map { clock.now() + $0 })
    }

    private func kept(_ key: OwnedKey<Key>) throws(IdentityError) -> Value? {
        let now = lifetime == nil ? .zero : clock.now()
        let (value, removed) = try state.withLock { (state) throws(IdentityError) -> (Value?, any Sendable) in
            // In one step: a revocation is either seen here, or will remove the value.
            try key.owner.admit()
            let removed = state.storage.removeEnded(by: now)
            return (state.storage.value(for: key, now: now), removed)
        }
        withExtendedLifetime(removed) {}
        return value
    }

    /// Stores a value, and returns what to release outside of locks.
    private func keep(_ entry: Storage.Entry, _ key: OwnedKey<Key>) throws(IdentityError) -> any Sendable {
        try state.withLock { (state) throws(IdentityError) -> any Sendable in
            try key.owner.admit()
            return state.storage.keep(entry, for: key)
        }
    }

    /// Starts a task that sleeps until the next value expires, unless one exists.
    ///
    /// Not under the lock, since creating a task may run other code.
    private func watch() {
        let number = state.withLock { state -> UInt64? in
            guard state.storage.nextEnd != nil, state.sleeper == nil else { return nil }
            state.lastSleeper += 1
            state.sleeper = Sleeper(number: state.lastSleeper)
            return state.lastSleeper
        }
        guard let number else { return }
        let task = Task.detached { [weak self, clock] in
            while !Task.isCancelled, let next = self?.removeEnded(for: number) { await clock.sleep(until: next) }
        }
        let isOver = state.withLock { state in
            if state.sleeper?.number == number { state.sleeper?.task = task }
            return state.sleeper?.number != number
        }
        if isOver { task.cancel() }
    }

    /// Removes expired values, and returns when the next one expires; the sleeper ends if none will.
    private func removeEnded(for sleeper: UInt64) -> Duration? {
        let now = clock.now()
        let (removed, next) = state.withLock { state -> (any Sendable, Duration?) in
            let removed = state.storage.removeEnded(by: now)
            if state.storage.nextEnd == nil, state.sleeper?.number == sleeper { state.sleeper = nil }
            return (removed, state.storage.nextEnd)
        }
        withExtendedLifetime(removed) {}
        return next
    }
}
