import MultiIdentity

/// Work that callers wait for, and that may wait for other such work.
protocol Load: AnyObject, Sendable {
    var isOver: Bool { get }
    /// Returns whether this work loads a key.
    func isLoading(_ key: LoadedKey) -> Bool
}

/// The place of one caller that waits for a load.
protocol LoadSeat: Sendable {
    var load: any Load { get }
}

/// A key of one owner in one cache, single flight or batcher.
struct LoadedKey {
    let table: ObjectIdentifier
    let owner: WorkOwner
    let key: any Hashable

    /// Returns the key if it belongs to this owner and table.
    func key<Key: Hashable>(of owner: WorkOwner, in table: ObjectIdentifier, as type: Key.Type) -> Key? {
        self.table == table && self.owner == owner ? key as? Key : nil
    }
}

/// Tracks which loads wait for others, so that none waits for itself.
///
/// A load is known in its own task and in tasks started from it, except detached tasks.
enum NestedLoads {
    @TaskLocal private static var current: (any Load)?

    private struct Wait {
        let load: any Load
        var count = 0
    }

    /// The waiting loads, by the load that they wait for.
    private static let waits = Locked<[ObjectIdentifier: [ObjectIdentifier: Wait]]>([:])

    /// Runs `work` as part of a load.
    static func run<Value>(in load: any Load, _ work: () async throws -> Value) async throws -> Value {
        try await $current.withValue(load) { try await work() }
    }

    /// Joins the load of a key with `join`, and waits for it with `wait`.
    ///
    /// - Throws: ``LeaseError`` with `.wouldDeadlock` if the calling load, or a load that waits for it, is the load of that key:
    ///   neither could end.
    static func join<Seat: LoadSeat, Value>(
        _ key: LoadedKey,
        by join: () throws -> Seat,
        wait: (Seat) async throws -> Value
    ) async throws -> Value {
        guard let load = current, !load.isOver else { return try await wait(join()) }
        // In one step: if two loads ask for each other's key at once, one sees the other.
        let seat = try waits.withLock { waits in
            try refuse(key, askedBy: load, waits)
            let seat = try join()
            let (waiting, waitedFor) = (ObjectIdentifier(load), ObjectIdentifier(seat.load))
            waits[waitedFor, default: [:]][waiting, default: Wait(load: load)].count += 1
            return seat
        }
        defer { end(load, seat.load) }
        return try await wait(seat)
    }

    private static func refuse(
        _ key: LoadedKey,
        askedBy load: any Load,
        _ waits: [ObjectIdentifier: [ObjectIdentifier: Wait]]
    ) throws(LeaseError) {
        var (seen, next) = (Set([ObjectIdentifier(load)]), [load])
        while let one = next.popLast() {
            if one.isLoading(key) { throw wouldWait }
            for (id, wait) in waits[ObjectIdentifier(one)] ?? [:] where seen.insert(id).inserted {
                next.append(wait.load)
            }
        }
    }

    private static func end(_ load: any Load, _ joined: any Load) {
        waits.withLock { waits in
            let (waiting, waitedFor) = (ObjectIdentifier(load), ObjectIdentifier(joined))
            waits[waitedFor]?[waiting]?.count -= 1
            if waits[waitedFor]?[waiting]?.count == 0 { waits[waitedFor]?[waiting] = nil }
            if waits[waitedFor]?.isEmpty == true { waits[waitedFor] = nil }
        }
    }

    private static let wouldWait = LeaseError(
        .wouldDeadlock,
        """
        A load asked for the key that it loads, or for a key whose load waits for it: neither could end. Let loads ask for \
        each other's keys in one direction only.
        """
    )
}
