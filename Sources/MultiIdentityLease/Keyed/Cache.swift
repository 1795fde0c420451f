public import MultiIdentity

extension IdentityKeyed {
    /// Values that are kept by their key and owner: bounded, for a time, and gone when their identity is revoked.
    ///
    /// ```swift
    /// let titles = IdentityKeyed.Cache<Int, String>(limit: 10_000, lifetime: .seconds(60))
    /// let title = try await titles.value(for: 7) { try await load(7) }  // ada's, where this is ada's work
    /// ```
    public final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
        private struct Entry {
            let value: Value
            let end: Duration?
            let number: UInt64
            var wasUsed = false
        }

        private struct State {
            var entries: [OwnedKey<Key>: Entry] = [:]
            /// In the order in which they came; one that was used since it came to the front goes to the end instead.
            var order = Queue<(key: OwnedKey<Key>, number: UInt64)>()
            var last: UInt64 = 0

            /// Takes out the oldest that was not used since it was looked at last.
            mutating func evict() -> Entry? {
                while let (key, number) = order.popFirst() {
                    guard let entry = entries[key], entry.number == number else { continue }
                    if entry.wasUsed {
                        entries[key]?.wasUsed = false
                        order.append((key, number))
                    } else {
                        return entries.removeValue(forKey: key)
                    }
                }
                return nil
            }
        }

        private let sharing: Sharing
        private let limit: Int
        private let lifetime: Duration?
        private let clock: LeaseClock
        private let flights: SingleFlight<Key, Value>
        private let state = Locked(State())
        private let revoked = RevokedIdentities()

        /// An empty cache.
        ///
        /// - Parameters:
        ///   - sharing: Who shares the values.
        ///   - limit: The most values that are kept, of all identities; less than 1 is taken for 1.
        ///   - lifetime: How long one is kept; `nil` for as long as there is room.
        ///   - clock: What the lifetime is measured by.
        public init(
            _ sharing: Sharing = .withinIdentity,
            limit: Int,
            lifetime: Duration? = nil,
            clock: any Clock<Duration> = .continuous
        ) {
            self.sharing = sharing
            self.limit = max(1, limit)
            self.lifetime = lifetime
            self.clock = LeaseClock(clock)
            flights = SingleFlight(sharing)
            revoked.watch { [weak self] identity in self?.removeAll { $0.identity.involves(identity) } }
        }

        deinit { revoked.stop() }

        /// The number of values that are kept.
        public var count: Int { state.withLock { $0.entries.count } }

        /// The value that is kept for a key and the caller, or else the one that `load` returns, which is kept.
        ///
        /// All who ask meanwhile get that one load's value, as in ``IdentityKeyed/SingleFlight``.
        ///
        /// - Parameters:
        ///   - key: What is asked for.
        ///   - load: How it is had; as the first caller, or as nobody where it is shared.
        /// - Returns: The value.
        /// - Throws: What `load` throws, which is not kept; ``LeaseError`` where no identity is bound; `IdentityError` with
        ///   `.revoked` where its owner was revoked, meanwhile too.
        public func value(for key: Key, load: @escaping @Sendable () async throws -> Value) async throws -> Value {
            let owned = OwnedKey(owner: try sharing.owner(), key: key)
            if let value = kept(owned) { return value }
            return try await flights.value(for: owned, load) { [weak self] in self?.keep($0, owned) }
        }

        /// The value that is kept for a key and the caller, or `nil`.
        ///
        /// - Parameter key: What is asked for.
        /// - Returns: The value.
        /// - Throws: ``LeaseError`` where no identity is bound; `IdentityError` with `.revoked`.
        public func value(for key: Key) throws -> Value? { kept(OwnedKey(owner: try sharing.owner(), key: key)) }

        /// Keeps a value for a key and the caller.
        ///
        /// - Parameters:
        ///   - value: The value.
        ///   - key: Its key.
        /// - Throws: ``LeaseError`` where no identity is bound, and with `.belongsToSomebody` where the values are shared
        ///   among all, and this is somebody's work; `IdentityError` with `.revoked`.
        public func store(_ value: Value, for key: Key) throws {
            let owner = try sharing.owner()
            if sharing == .amongAll, let somebody = Lessee.current?.identity, !somebody.isNobody {
                throw LeaseError(
                    .belongsToSomebody,
                    """
                    \(somebody)'s work was about to store a value that all would see. Have it loaded, which is nobody's work, or \
                    store it under nobody where it belongs to nobody.
                    """
                )
            }
            keep(value, OwnedKey(owner: owner, key: key))
        }

        /// Removes all of one identity; a revocation does so by itself.
        ///
        /// - Parameter identity: The owner.
        /// - Complexity: O(*n*) in the number of values.
        public func removeAll(of identity: Identity) { removeAll { $0.identity == identity } }

        private func removeAll(where isOut: (WorkOwner) -> Bool) {
            let removed = state.withLock { state in
                let removed = state.entries.filter { isOut($0.key.owner) }
                for key in removed.keys { state.entries[key] = nil }
                return removed
            }
            withExtendedLifetime(removed) {}
        }

        private func kept(_ key: OwnedKey<Key>) -> Value? {
            let now = lifetime == nil ? .zero : clock.now()
            let (value, removed) = state.withLock { state -> (Value?, Entry?) in
                guard let entry = state.entries[key] else { return (nil, nil) }
                if let end = entry.end, end <= now { return (nil, state.entries.removeValue(forKey: key)) }
                state.entries[key]?.wasUsed = true
                return (entry.value, nil)
            }
            // Let go of outside the lock: what it captured may come back here when it goes.
            withExtendedLifetime(removed) {}
            return value
        }

        private func keep(_ value: Value, _ key: OwnedKey<Key>) {
            let end = lifetime.map { clock.now() + $0 }
            let removed = state.withLock { state -> [Entry] in
                state.last += 1
                var removed = [
                    state.entries.updateValue(Entry(value: value, end: end, number: state.last), forKey: key)
                ]
                state.order.append((key, state.last))
                while state.entries.count > limit { removed.append(state.evict()) }
                if state.order.count > 2 * state.entries.count + 16 {
                    let entries = state.entries
                    state.order.removeAll { entries[$0.key]?.number != $0.number }
                }
                return removed.compactMap(\.self)
            }
            withExtendedLifetime(removed) {}
            // Revoked meanwhile: the watcher may have come before the value.
            do { try key.owner.admit() } catch { removeAll { $0 == key.owner } }
        }
    }
}
