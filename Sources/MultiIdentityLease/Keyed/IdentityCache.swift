public import MultiIdentity

/// Values that are kept by their key and owner: bounded, for a time, and gone when their identity is revoked.
///
/// ```swift
/// let titles = IdentityCache<Int, String>(limit: 10_000, lifetime: .seconds(60))
/// let title = try await titles.value(for: 7) { try await load(7) }  // ada's, where this is ada's work
/// ```
public final class IdentityCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Storage = CacheStorage<Key, Value>

    private struct State {
        var storage: Storage
        /// Sleeps until the next value ends; `nil` while none does.
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

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - sharing: Who shares the values.
    ///   - limit: The most values that are kept, of all identities; less than 1 is taken for 1. An identity that has no more
    ///     than its share, the limit divided by the identities, loses none to others.
    ///   - lifetime: How long one is kept; `nil` for as long as there is room.
    ///   - clock: What the lifetime is measured by.
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
        // Of the life that ended alone, though this came late.
        revoked.watch { [weak self] in self?.removeAll(involving: $0) { $0.refusal != nil } }
    }

    deinit {
        revoked.stop()
        state.withLock { $0.sleeper?.task }?.cancel()
    }

    /// The number of values that are kept.
    public var count: Int { state.withLock { $0.storage.count } }

    /// The value that is kept for a key and the caller, or else the one that `load` returns, which is kept.
    ///
    /// All who ask meanwhile get that one load's value, as in ``IdentitySingleFlight``.
    ///
    /// - Parameters:
    ///   - key: What is asked for.
    ///   - load: How it is had; as the first caller, or as nobody where it is shared.
    /// - Returns: The value.
    /// - Throws: What `load` throws, which is not kept; ``LeaseError`` where no identity is bound, and with
    ///   `.wouldDeadlock` in a load that would wait for itself; `IdentityError` with `.revoked` where its owner was
    ///   revoked, meanwhile too.
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

    /// The value that is kept for a key and the caller, or `nil`.
    ///
    /// - Parameter key: What is asked for.
    /// - Returns: The value.
    /// - Throws: ``LeaseError`` where no identity is bound; `IdentityError` with `.revoked`.
    public func value(for key: Key) throws -> Value? {
        try kept(OwnedKey(owner: try sharing.owner(), key: key))
    }

    /// Keeps a value for a key and the caller; a load of that key that is under way is not kept.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its key.
    /// - Throws: ``LeaseError`` where no identity is bound, and with `.belongsToSomebody` where the values are shared
    ///   among all, and this is somebody's work; `IdentityError` with `.revoked`.
    public func store(_ value: Value, for key: Key) throws {
        let owner = try sharing.owner()
        if sharing == .shared, let somebody = OwnerHere.current?.owner.identity, !somebody.isNobody {
            throw LeaseError(
                .belongsToSomebody,
                """
                \(somebody)'s work was about to store a value that all would see. Have it loaded, which is nobody's work, or \
                store it under nobody where it belongs to nobody.
                """
            )
        }
        let (entry, owned) = (entry(value), OwnedKey(owner: owner, key: key))
        // First: what a load that began before brings does not come after this.
        flights.close(owned)
        let removed = try keep(entry, owned)
        withExtendedLifetime(removed) {}
        watch()
    }

    /// Removes all of one identity, and keeps nothing of its loads under way; a revocation does so by itself.
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
        // Outside the lock, as everywhere: what a value captured may come back here when it is released.
        withExtendedLifetime(removed) {}
        sleeper?.cancel()
    }

    private func entry(_ value: Value) -> Storage.Entry {
        Storage.Entry(value: value, end: lifetime.map { clock.now() + $0 })
    }

    private func kept(_ key: OwnedKey<Key>) throws(IdentityError) -> Value? {
        let now = lifetime == nil ? .zero : clock.now()
        let (value, removed) = try state.withLock { (state) throws(IdentityError) -> (Value?, any Sendable) in
            // In one step: a revocation is seen here, or has yet to remove the value.
            try key.owner.admit()
            let removed = state.storage.removeEnded(by: now)
            return (state.storage.value(for: key, now: now), removed)
        }
        withExtendedLifetime(removed) {}
        return value
    }

    /// Keeps a value, and returns what is to be released outside of locks.
    private func keep(_ entry: Storage.Entry, _ key: OwnedKey<Key>) throws(IdentityError) -> any Sendable {
        try state.withLock { (state) throws(IdentityError) -> any Sendable in
            try key.owner.admit()
            return state.storage.keep(entry, for: key)
        }
    }

    /// Has a task sleep until the next value ends, where none does; not made under the lock, as others may run meanwhile.
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

    /// Removes what has ended, and returns when the next does; the sleeper ends where none will.
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
