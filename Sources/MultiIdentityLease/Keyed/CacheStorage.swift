import MultiIdentity

/// The values of a cache: at most a given number, each until it expires, and at least a fair share for each owner.
///
/// When the cache is full, the owner with the most values loses one: the oldest that was not used since its last turn. So other
/// owners never push an owner below its share, which is the limit divided by the number of owners, and no new value evicts itself.
struct CacheStorage<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias OwnedKey = MultiIdentityLease.OwnedKey<Key>

    struct Entry: Sendable {
        let value: Value
        let end: Duration?
    }

    private struct Ticket<ID: Sendable>: Sendable {
        let key: ID
        let number: UInt64
    }

    private struct Kept: Sendable {
        let entry: Entry
        let number: UInt64
        var wasUsed = false
    }

    private struct Shelf: Sendable {
        var kept: [Key: Kept] = [:]
        /// The values in order of arrival.
        ///
        /// A value that was used since its last turn moves to the end when it reaches the front.
        private var order = Queue<Ticket<Key>>()

        mutating func keep(_ value: Kept, for key: Key) {
            kept[key] = value
            order.append(Ticket(key: key, number: value.number))
            if order.count > 2 * kept.count + 16 { order.removeAll { [kept] in kept[$0.key]?.number != $0.number } }
        }

        /// Removes the value whose turn it is; returns `nil` if that value was used and so gets another turn.
        mutating func giveUp() -> Entry? {
            while let ticket = order.popFirst() {
                guard let value = kept[ticket.key], value.number == ticket.number else { continue }
                if !value.wasUsed { return kept.removeValue(forKey: ticket.key)?.entry }
                kept[ticket.key]?.wasUsed = false
                order.append(ticket)
                return nil
            }
            return nil
        }
    }

    private let limit: Int
    private var shelves = OwnedTable<Shelf>()
    private var ranking = OwnerRanking()
    /// The values that expire, in the order of their expiry.
    private var ending = Queue<(ticket: Ticket<OwnedKey>, end: Duration)>()
    private var last: UInt64 = 0
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    /// The moment at which the next value expires; that value may be gone already until ``removeEnded(by:)`` is called.
    var nextEnd: Duration? { ending.first?.end }

    /// Looks up a value that has not expired, and marks it as used.
    mutating func value(for key: OwnedKey, now: Duration) -> Value? {
        shelves.change(key.owner) { shelf in
            guard let entry = shelf?.kept[key.key]?.entry, entry.end.map({ $0 > now }) ?? true else { return nil }
            shelf?.kept[key.key]?.wasUsed = true
            return entry.value
        }
    }

    /// Stores a value.
    ///
    /// - Returns: The values that it replaces or evicts.
    mutating func keep(_ entry: Entry, for key: OwnedKey) -> [Entry] {
        var removed = [remove(key)].compactMap(\.self)
        while count >= limit, let entry = makeRoom(for: key.owner) { removed.append(entry) }
        last += 1
        let own = shelves.change(key.owner) { [last] shelf in
            var kept = shelf ?? Shelf()
            // Moved out and back in, so that nothing is copied.
            shelf = nil
            kept.keep(Kept(entry: entry, number: last), for: key.key)
            shelf = kept
            return kept.kept.count
        }
        count += 1
        ranking.set(own, turn: last, of: key.owner)
        if let end = entry.end { ending.append((Ticket(key: key, number: last), end)) }
        if ending.count > 2 * count + 16 { ending.removeAll { [shelves] in !Self.isKept($0.ticket, in: shelves) } }
        return removed
    }

    /// Removes expired values.
    mutating func removeEnded(by now: Duration) -> [Entry] {
        var removed: [Entry?] = []
        while let (ticket, end) = ending.first, end <= now || !Self.isKept(ticket, in: shelves) {
            _ = ending.popFirst()
            if Self.isKept(ticket, in: shelves) { removed.append(remove(ticket.key)) }
        }
        return removed.compactMap(\.self)
    }

    /// Removes the values of those owners that are an identity, or that it acts for, and that meet a condition.
    mutating func removeAll(involving identity: Identity, where isOut: (WorkOwner) -> Bool) -> any Sendable {
        let removed = shelves.remove(involving: identity, where: isOut)
        for (owner, shelf) in removed {
            count -= shelf.kept.count
            ranking.set(0, turn: last, of: owner)
        }
        if count == 0 { ending = Queue() }
        return removed
    }

    private mutating func makeRoom(for newcomer: WorkOwner) -> Entry? {
        // The newcomer counts with the value that it is about to store, and is last among equals.
        if let own = shelves.values[newcomer]?.kept.count { ranking.set(own + 1, turn: .max, of: newcomer) }
        while let owner = ranking.first {
            let (entry, left) = shelves.change(owner) { ($0?.giveUp(), Self.tidy(&$0)) }
            last += 1
            if owner == newcomer {
                ranking.set(left + 1, turn: .max, of: owner)
            } else {
                ranking.set(left, turn: last, of: owner)
            }
            if let entry {
                count -= 1
                return entry
            }
        }
        return nil
    }

    private mutating func remove(_ key: OwnedKey) -> Entry? {
        let (entry, left) = shelves.change(key.owner) {
            ($0?.kept.removeValue(forKey: key.key)?.entry, Self.tidy(&$0))
        }
        guard let entry else { return nil }
        count -= 1
        ranking.set(left, turn: last, of: key.owner)
        return entry
    }

    /// Removes the shelf if it is empty, and returns its number of values.
    private static func tidy(_ shelf: inout Shelf?) -> Int {
        let count = shelf?.kept.count ?? 0
        if count == 0 { shelf = nil }
        return count
    }

    private static func isKept(_ ticket: Ticket<OwnedKey>, in shelves: OwnedTable<Shelf>) -> Bool {
        shelves.values[ticket.key.owner]?.kept[ticket.key.key]?.number == ticket.number
    }
}
