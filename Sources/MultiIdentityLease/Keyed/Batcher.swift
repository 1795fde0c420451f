import MultiIdentity

extension IdentityKeyed {
    /// Single values that are loaded together: a batch holds the keys of one identity, and is loaded as that one.
    ///
    /// ```swift
    /// let notes = IdentityKeyed.Batcher<Int, Note>(limit: 100, window: .milliseconds(2)) { try await load($0) }
    /// let note = try await notes.value(for: 7)
    /// ```
    public final class Batcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
        private struct Batch {
            let number: UInt64
            var joiners: [Key: [Joiner<Value>]] = [:]
        }

        private struct State {
            var open: [WorkOwner: Batch] = [:]
            var last: UInt64 = 0
        }

        private let sharing: Sharing
        private let limit: Int
        private let window: Duration
        private let clock: LeaseClock
        private let load: @Sendable ([Key]) async throws -> [Key: Value]
        private let state = Locked(State())

        /// A batcher.
        ///
        /// - Parameters:
        ///   - sharing: The callers with keys in one batch.
        ///   - limit: The most keys of a batch, which is loaded once it has as many; less than 1 is taken for 1.
        ///   - window: How long a batch waits for further keys.
        ///   - clock: What the window is measured by.
        ///   - load: Loads a batch, as its owner, or as nobody where it is shared, and with nothing else of any caller.
        public init(
            _ sharing: Sharing = .withinIdentity,
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

        /// The value of a key, loaded with others of the same identity.
        ///
        /// A caller that is cancelled alone gets `CancellationError`; the batch is loaded all the same.
        ///
        /// - Parameter key: The key.
        /// - Returns: Its value.
        /// - Throws: What the load throws; ``LeaseError`` where no identity is bound, and where the load has no value for
        ///   the key; `IdentityError` with `.revoked` where its owner is revoked when the batch is to be loaded.
        public func value(for key: Key) async throws -> Value {
            let owner = try sharing.owner()
            let joiner = Joiner<Value>()
            let (number, isNew, full) = state.withLock { state -> (UInt64, Bool, Batch?) in
                let isNew = state.open[owner] == nil
                if isNew { state.last += 1 }
                var batch = state.open[owner] ?? Batch(number: state.last)
                batch.joiners[key, default: []].append(joiner)
                let isFull = batch.joiners.count >= limit
                state.open[owner] = isFull ? nil : batch
                return (batch.number, isNew, isFull ? batch : nil)
            }
            if let full {
                Task.detached { await self.run(full, owner) }
            } else if isNew {
                Task.detached { [clock, window] in
                    await clock.sleep(until: clock.now() + window)
                    await self.close(number, owner)
                }
            }
            return try await withTaskCancellationHandler {
                try await joiner.value()
            } onCancel: {
                joiner.settle(.failure(CancellationError()))
            }
        }

        private func close(_ number: UInt64, _ owner: WorkOwner) async {
            let batch = state.withLock { state -> Batch? in
                guard let batch = state.open[owner], batch.number == number else { return nil }
                state.open[owner] = nil
                return batch
            }
            if let batch { await run(batch, owner) }
        }

        private func run(_ batch: Batch, _ owner: WorkOwner) async {
            do {
                try owner.admit()
                let values = try await IdentitySnapshot.capture(for: owner).restore {
                    try await load(Array(batch.joiners.keys))
                }
                try owner.admit()
                for (key, joiners) in batch.joiners {
                    for joiner in joiners { joiner.settle(values[key].map { .success($0) } ?? .failure(Self.noAnswer)) }
                }
            } catch {
                for joiner in batch.joiners.values.joined() { joiner.settle(.failure(error)) }
            }
        }

        private static var noAnswer: LeaseError {
            LeaseError(
                .noAnswer,
                "The batch was loaded, and has no value for this key. Have the load return one for each key, or ask for optionals."
            )
        }
    }
}
