import MultiIdentity

/// Loads single values in batches: a batch contains the keys of one identity, and is loaded as that identity.
///
/// ```swift
/// let notes = IdentityBatcher<Int, Note>(limit: 100, window: .milliseconds(2)) { try await load($0) }
/// let note = try await notes.value(for: 7)
/// ```
public final class IdentityBatcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var open: [WorkOwner: Batch<Key>] = [:]
        var last: UInt64 = 0
    }

    private let flights = FlightTable<UInt64, [Key: Value]>()
    private let sharing: IdentitySharing
    private let limit: Int
    private let window: Duration
    private let clock: LeaseClock
    private let load: @Sendable ([Key]) async throws -> [Key: Value]
    private let state = Locked(State())

    /// Creates a batcher.
    ///
    /// - Parameters:
    ///   - sharing: The callers that share a batch.
    ///   - limit: The maximum number of keys in a batch; a full batch is loaded at once. Values below 1 count as 1.
    ///   - window: How long a batch waits for more keys.
    ///   - clock: The clock that measures the window.
    ///   - load: Loads a batch as its owner, or as nobody if it is shared. It inherits nothing else from a caller.
    public init(
        _ sharing: IdentitySharing = .perIdentity,
        limit: Int,
        window: Duration,
        clock: any Clock<Duration> = .continuous,
        load: @escaping @Sendable ([Key]) async throws -> [Key: Value]
    ) {
        self.sharing = sharing
        self.limit = max(1, limit)
        self.window = window
        self.clock = LeaseClock(clock)
        self.load = load
    }

    /// Returns the value of a key, loaded together with other keys of the same identity.
    ///
    /// Only a caller that is cancelled gets `CancellationError`; the load is cancelled once no caller waits for it.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value.
    /// - Throws: The error of the load; ``LeaseError`` if no identity is bound, if the load returns no value for the key, or if a load
    ///   would wait for itself (`.wouldDeadlock`); `IdentityError` with `.revoked` if the owner is revoked before or
    ///   during the call.
    public func value(for key: Key) async throws -> Value {
        let owner = try sharing.owner()
        let asked = LoadedKey(table: ObjectIdentifier(flights), owner: owner, key: key)
        let values = try await NestedLoads.join(asked) {
            try join(key, owner)
        } wait: { joined in
            let (seat, batch) = (joined.seat, joined.batch)
            if joined.isFull { batch.close() }
            let flown = OwnedKey(owner: owner, key: batch.number)
            if seat.isFirst { flights.start(seat.flight, flown) { try await self.run(batch, owner) } }
            return try await flights.wait(seat, flown)
        }
        guard let value = values[key] else { throw Self.missingValue }
        return value
    }

    private struct Joined: LoadSeat {
        let seat: FlightSeat<[Key: Value]>
        let batch: Batch<Key>
        let isFull: Bool

        var load: any Load { seat.flight }
    }

    /// Joins the owner's open batch, or a new one if there is none or all callers have left it.
    private func join(_ key: Key, _ owner: WorkOwner) throws(IdentityError) -> Joined {
        let table = ObjectIdentifier(flights)
        return try state.withLock { (state) throws(IdentityError) -> Joined in
            var batch = state.open[owner] ?? Batch(state.last + 1)
            let seat = try flights.join(OwnedKey(owner: owner, key: batch.number)) {
                let new = Batch<Key>(batch.number)
                batch = new
                return KeyedFlight { $0.key(of: owner, in: table, as: Key.self).map(new.contains) ?? false }
            }
            state.last = max(state.last, batch.number)
            let isFull = batch.add(key) >= limit
            state.open[owner] = isFull ? nil : batch
            return Joined(seat: seat, batch: batch, isFull: isFull)
        }
    }

    private func run(_ batch: Batch<Key>, _ owner: WorkOwner) async throws -> [Key: Value] {
        await batch.collect(until: clock.now() + window, clock)
        state.withLock { if $0.open[owner] === batch { $0.open[owner] = nil } }
        try Task.checkCancellation()
        return try await IdentitySnapshot.capture(for: owner).load(as: owner) { try await load(batch.keys) }
    }

    private static var missingValue: LeaseError {
        LeaseError(
            .missingValue,
            "The batch was loaded, but has no value for this key. Return a value for each key, or make the values optional."
        )
    }
}
