/// Finds the record of a name while any identity of that name lives.
///
/// It is split into shards by the key's hash, so that requests on many threads seldom wait for one another.
final class IdentityRegistry: Sendable {
    static let shared = IdentityRegistry()

    // An entry is bound to a name before its reference is loaded, never reached through `entries[key]?.record`, and never put
    // in a tuple: for both, Swift 6.3.1 without optimization compiles code that releases what it did not retain.
    private struct Entry {
        weak var record: IdentityRecord?
        let identifier: ObjectIdentifier
    }

    private struct Shard {
        var entries: [NameKey: Entry] = [:]
    }

    private let shards: [Locked<Shard>]

    init(shardCount: Int = 64) {
        shards = (0..<shardCount).map { _ in Locked(Shard()) }
    }

    /// Returns the record of a key: the living one, or a new one.
    ///
    /// - Complexity: O(1) and one lock.
    func record(for key: NameKey) -> IdentityRecord {
        shard(of: key).withLock { shard in
            if let entry = shard.entries[key], let record = entry.record { return record }
            let record = IdentityRecord(key: key, registry: self)
            shard.entries[key] = Entry(record: record, identifier: ObjectIdentifier(record))
            return record
        }
    }

    /// Removes the entry of a record in its `deinit`, unless a new record has taken the name in the meantime.
    ///
    /// It compares addresses and never loads the weak reference: releasing the loaded reference could be the last release of
    /// another record, which would call this function again under the same lock.
    func forget(_ key: NameKey, _ identifier: ObjectIdentifier) {
        shard(of: key).withLock { shard in
            guard let index = shard.entries.index(forKey: key) else { return }
            guard shard.entries[index].value.identifier == identifier else { return }
            shard.entries.remove(at: index)
            // A dictionary never frees memory by itself, and a filter that keeps all elements returns the same storage.
            if shard.entries.count < shard.entries.capacity / 4, shard.entries.capacity > 16 {
                var smaller: [NameKey: Entry] = [:]
                smaller.reserveCapacity(shard.entries.count)
                for name in shard.entries.keys { smaller[name] = shard.entries[name] }
                shard.entries = smaller
            }
        }
    }

    /// The number of names in the registry.
    var count: Int { shards.reduce(0) { sum, shard in sum + shard.withLock { $0.entries.count } } }

    /// The number of records that fit without growing, which determines the memory use.
    var capacity: Int { shards.reduce(0) { sum, shard in sum + shard.withLock { $0.entries.capacity } } }

    private func shard(of key: NameKey) -> Locked<Shard> {
        shards[Int(UInt(bitPattern: key.hashOfForm) % UInt(shards.count))]
    }
}
