import MultiIdentity

/// The values of a cache: so many, each until its end, and of each owner at least its share.
///
/// When it is full, the owner who has most gives one up: the one it has had for longest and has not used since its last turn. So
/// no other owner ever pushes one below its share, which is the limit divided by the owners, and no value makes room for itself.
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
        /// In the order in which they came; one that was used since it came to the front goes to the end instead.
        private var order = Queue<Ticket<Key>>()

        mutating func keep(_ value: Kept, for key: Key) {
            kept[key] = value
            order.append(Ticket(key: key, number: value.number))
            if order.count > 2 * kept.count + 16 { order.removeAll { [kept] in kept[$0.key]?.number != $0.number } }
        }

        /// Gives up the value whose turn it is; `nil` where that was used, and has another turn.
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
    /// All that end, in the order in which they do.
    private var ending = Queue<(ticket: Ticket<OwnedKey>, end: Duration)>()
    private var last: UInt64 = 0
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    /// The moment at which the next value ends; after ``removeEnded(by:)`` it is one that is kept.
    var nextEnd: Duration? { ending.first?.end }

    /// Looks up a value that has not ended by now, which counts as a use of it.
    mutating func value(for key: OwnedKey, now: Duration) -> Value? {
        shelves.change(key.owner) { shelf in
            guard let entry = shelf?.kept[key.key]?.entry, entry.end.map({ $0 > now }) ?? true else { return nil }
            shelf?.kept[key.key]?.wasUsed = true
            return entry.value
        }
    }

    /// Keeps a value.
    ///
    /// - Returns: The values that it replaces, and that make room for it.
    mutating func keep(_ entry: Entry, for key: OwnedKey) -> [Entry] {
        var removed = [remove(key)].compactMap(\.self)
        while count >= limit, let entry = makeRoom(for: key.owner) { removed.append(entry) }
        last += 1
        let own = shelves.change(key.owner) { [last] shelf in
            var kept = shelf ?? Shelf()
            // Moved out and in again, so that nothing is copied.
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

    /// Removes what has ended by now.
    mutating func removeEnded(by now: Duration) -> [Entry] {
        var removed: [Entry?] = []
        while let (ticket, end) = ending.first, end <= now || !Self.isKept(ticket, in: shelves) {
            _ = ending.popFirst()
            if Self.isKept(ticket, in: shelves) { removed.append(remove(ticket.key)) }
        }
        return removed.compactMap(\.self)
    }

    /// Removes all of the owners that are an identity, or that it acts for, and fulfil a condition.
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
        // Where it has any, it counts with the one that it is about to have, and is the last of its equals.
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

    /// Takes out an empty shelf, and returns the number of values on it.
    private static func tidy(_ shelf: inout Shelf?) -> Int {
        let count = shelf?.kept.count ?? 0
        if count == 0 { shelf = nil }
        return count
    }

    private static func isKept(_ ticket: Ticket<OwnedKey>, in shelves: OwnedTable<Shelf>) -> Bool {
        shelves.values[ticket.key.owner]?.kept[ticket.key.key]?.number == ticket.number
    }
}
