import MultiIdentity

/// Flights in progress by owner and key.
///
/// They end when their owner is revoked.
final class FlightTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Flight = KeyedFlight<Value>
    typealias OwnedKey = MultiIdentityLease.OwnedKey<Key>

    private struct UnderWay {
        /// The flights that other callers may join.
        var open: [Key: Flight] = [:]
        var all: [ObjectIdentifier: (number: Int, flight: Flight)] = [:]
        var last = 0

        var inOrder: [Flight] { all.values.sorted { $0.number < $1.number }.map(\.flight) }

        mutating func add(_ flight: Flight, for key: Key) {
            last += 1
            open[key] = flight
            all[ObjectIdentifier(flight)] = (last, flight)
        }

        /// Removes a flight, and returns whether other callers could join it to the end.
        mutating func remove(_ flight: Flight, of key: Key) -> Bool {
            all[ObjectIdentifier(flight)] = nil
            let isOpen = open[key] === flight
            if isOpen { open[key] = nil }
            return isOpen
        }
    }

    private let flights = Locked(OwnedTable<UnderWay>())
    private let revoked = RevokedIdentities()

    init() { revoked.watch { [weak self] in self?.end(of: $0) } }

    deinit { revoked.stop() }

    var all: [Flight] { flights.withLock { $0.values.values.flatMap(\.inOrder) } }

    /// Returns the value of a key to all callers that ask while the work for it is in progress.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - sharing: The context that the work runs with.
    ///   - work: The work, for the first caller; it runs as the owner.
    ///   - landed: Stores the value in the step that removes its flight; not called if the flight was closed to further callers. It
    ///     calls no other code, and returns what to do outside of locks.
    /// - Returns: The value.
    /// - Throws: The error of the work; ``LeaseError`` if the work would wait for itself; `IdentityError` with `.revoked`.
    func value(
        for key: OwnedKey,
        _ sharing: IdentitySharing,
        _ work: @escaping @Sendable () async throws -> Value,
        landed: @escaping @Sendable (Value) -> (@Sendable () -> Void)? = { _ in nil }
    ) async throws -> Value {
        let table = ObjectIdentifier(self)
        let asked = LoadedKey(table: table, owner: key.owner, key: key.key)
        return try await NestedLoads.join(asked) {
            try join(key) { Flight { $0.key(of: key.owner, in: table, as: Key.self) == key.key } }
        } wait: { seat in
            if seat.isFirst {
                let snapshot = sharing.snapshot(for: key.owner)
                start(seat.flight, key, landed: landed) { try await snapshot.load(as: key.owner, work) }
            }
            return try await wait(seat, key)
        }
    }

    /// Joins the flight of a key, or else the flight that `make` returns, which the caller must start.
    func join(_ key: OwnedKey, _ make: () -> Flight) throws(IdentityError) -> FlightSeat<Value> {
        let joiner = Joiner<Value>(of: key.owner)
        return try flights.withLock { (table) throws(IdentityError) -> FlightSeat<Value> in
            // In one step: a revocation is either seen here, or finds the flight.
            try key.owner.admit()
            return table.change(key.owner) { underWay in
                if let flight = underWay?.open[key.key], flight.add(joiner) {
                    return FlightSeat(flight: flight, joiner: joiner, isFirst: false)
                }
                let flight = make()
                _ = flight.add(joiner)
                underWay = underWay ?? UnderWay()
                underWay?.add(flight, for: key.key)
                return FlightSeat(flight: flight, joiner: joiner, isFirst: true)
            }
        }
    }

    /// Starts the work of a new flight.
    func start(
        _ flight: Flight,
        _ key: OwnedKey,
        landed: @escaping @Sendable (Value) -> (@Sendable () -> Void)? = { _ in nil },
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        let task = Task.detached { [weak self] in
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await NestedLoads.run(in: flight, work)) } catch { outcome = .failure(error) }
            self?.finish(flight, key, outcome, landed)
        }
        flight.fly(task)
    }

    /// Waits for a joined flight, which is cancelled once no caller waits for it.
    func wait(_ seat: FlightSeat<Value>, _ key: OwnedKey) async throws -> Value {
        try await withTaskCancellationHandler {
            try await seat.joiner.value()
        } onCancel: {
            if seat.flight.remove(seat.joiner) { finish(seat.flight, key, .failure(CancellationError())) }
            seat.joiner.settle(.failure(CancellationError()))
        }
    }

    /// Stops callers from joining the flight of a key, and drops its value, which may be out of date.
    func close(_ key: OwnedKey) { flights.withLock { $0.change(key.owner) { $0?.open[key.key] = nil } } }

    /// Closes all flights of an identity.
    func close(of identity: Identity) {
        flights.withLock { table in
            for owner in table.owners(involving: identity) where owner.identity == identity {
                table.change(owner) { $0?.open = [:] }
            }
        }
    }

    private func finish(
        _ flight: Flight,
        _ key: OwnedKey,
        _ outcome: Result<Value, any Error>,
        _ landed: (Value) -> (@Sendable () -> Void)? = { _ in nil }
    ) {
        let afterwards: (@Sendable () -> Void)? = flights.withLock { table in
            let isOpen = table.change(key.owner) { underWay in
                let isOpen = underWay?.remove(flight, of: key.key) ?? false
                if underWay?.all.isEmpty == true { underWay = nil }
                return isOpen
            }
            guard isOpen, case .success(let value) = outcome else { return nil }
            return landed(value)
        }
        afterwards?()
        flight.end(outcome)
    }

    private func end(of identity: Identity) {
        // Only what belongs to the revoked life is ended, even if this runs late.
        let ended = flights.withLock { $0.remove(involving: identity) { $0.refusal != nil } }
        for (owner, underWay) in ended {
            for flight in underWay.inOrder { flight.end(.failure(owner.refusal ?? CancellationError())) }
        }
    }
}

extension IdentitySharing {
    /// Returns the context for an owner's work: everything the caller has, as the owner; or none of it if the work is shared.
    func snapshot(for owner: WorkOwner) -> IdentitySnapshot {
        self == .shared ? IdentitySnapshot(of: .nobody) : .capture(for: owner)
    }
}

extension IdentitySnapshot {
    /// Runs `work` as an owner, if the owner may still begin work.
    func load<Value>(as owner: WorkOwner, _ work: () async throws -> Value) async throws -> Value {
        try await restore {
            // Work is counted here: an earlier revocation is seen, and a later one waits for the work.
            try owner.admit()
            return try await work()
        }
    }
}
