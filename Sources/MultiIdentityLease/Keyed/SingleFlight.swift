import MultiIdentity

extension IdentityKeyed {
    /// Work that is done once for all who ask for it meanwhile, by its key and owner.
    ///
    /// ```swift
    /// let profiles = IdentityKeyed.SingleFlight<String, Profile>()
    /// let profile = try await profiles.value(for: "ada") { try await fetch("ada") }
    /// ```
    public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
        private let sharing: Sharing
        private let flights = Locked<[OwnedKey<Key>: KeyedFlight<Value>]>([:])
        private let revoked = RevokedIdentities()

        /// Flights that nobody is in yet.
        ///
        /// - Parameter sharing: Who shares the work.
        public init(_ sharing: Sharing = .withinIdentity) {
            self.sharing = sharing
            revoked.watch { [weak self] in self?.end(of: $0) }
        }

        deinit { revoked.stop() }

        /// The number of flights under way.
        public var count: Int { flights.withLock { $0.count } }

        /// The number of those who wait for a flight.
        public var waiting: Int {
            let underWay = flights.withLock { Array($0.values) }
            return underWay.reduce(0) { $0 + $1.joinerCount }
        }

        /// Captured when called: runs `work` as the first caller, or as nobody where it is shared, and gives its outcome to all
        /// who ask meanwhile.
        ///
        /// Each who asks goes on in its own task, with its own identity and companions. Where that is cancelled, it alone gets
        /// `CancellationError`; the work is cancelled once nobody waits for it.
        ///
        /// - Parameters:
        ///   - key: What is asked for.
        ///   - work: How it is had, unless somebody of the same identity is about it already.
        /// - Returns: What the work returned.
        /// - Throws: What the work threw; ``LeaseError`` where no identity is bound; `IdentityError` with `.revoked` where its
        ///   owner was revoked, meanwhile too.
        public func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
            try await value(for: OwnedKey(owner: sharing.owner(), key: key), work) { _ in }
        }

        /// As above; `landed` is called with a value unless the flight was ended before.
        func value(
            for key: OwnedKey<Key>,
            _ work: @escaping @Sendable () async throws -> Value,
            landed: @escaping @Sendable (Value) -> Void
        ) async throws -> Value {
            let joiner = Joiner<Value>()
            let flight = join(joiner, key, work, landed)
            return try await withTaskCancellationHandler {
                try await joiner.value()
            } onCancel: {
                leave(joiner, flight, key)
            }
        }

        private func join(
            _ joiner: Joiner<Value>,
            _ key: OwnedKey<Key>,
            _ work: @escaping @Sendable () async throws -> Value,
            _ landed: @escaping @Sendable (Value) -> Void
        ) -> KeyedFlight<Value> {
            let (flight, isNew) = flights.withLock { flights -> (KeyedFlight<Value>, Bool) in
                if let flight = flights[key], flight.add(joiner) { return (flight, false) }
                let flight = KeyedFlight<Value>()
                _ = flight.add(joiner)
                flights[key] = flight
                return (flight, true)
            }
            guard isNew else { return flight }
            // Somebody's runs with all that the first who asks has, as the key says; what is shared, with nothing of anybody.
            let snapshot =
                sharing == .amongAll ? IdentitySnapshot(of: .nobody) : IdentitySnapshot.capture(for: key.owner)
            let task = Task.detached { [weak self] in
                let outcome: Result<Value, any Error>
                do { outcome = .success(try await snapshot.restore { try await work() }) } catch {
                    outcome = .failure(error)
                }
                self?.land(flight, key, outcome, landed)
            }
            flight.fly(task)
            // Revoked since its owner was looked at: the watcher may have come too early for this flight.
            do { try key.owner.admit() } catch { finish(flight, key, .failure(error)) }
            return flight
        }

        private func land(
            _ flight: KeyedFlight<Value>,
            _ key: OwnedKey<Key>,
            _ outcome: Result<Value, any Error>,
            _ landed: @Sendable (Value) -> Void
        ) {
            let isCurrent = flights.withLock { $0[key] === flight }
            if isCurrent, case .success(let value) = outcome { landed(value) }
            finish(flight, key, outcome)
        }

        private func finish(_ flight: KeyedFlight<Value>, _ key: OwnedKey<Key>, _ outcome: Result<Value, any Error>) {
            flights.withLock { if $0[key] === flight { $0[key] = nil } }
            for joiner in flight.end() { joiner.settle(outcome) }
        }

        private func leave(_ joiner: Joiner<Value>, _ flight: KeyedFlight<Value>, _ key: OwnedKey<Key>) {
            if flight.remove(joiner) { finish(flight, key, .failure(CancellationError())) }
            joiner.settle(.failure(CancellationError()))
        }

        private func end(of identity: Identity) {
            let ended = flights.withLock { $0.filter { $0.key.owner.identity.involves(identity) } }
            // Readmitted already, it belongs to the life that ended all the same.
            for (key, flight) in ended { do { try key.owner.admit() } catch { finish(flight, key, .failure(error)) } }
        }
    }
}
