import MultiIdentity
import Synchronization

/// The waiters of a pool, in turns: one of each identity that has any, and of each in the order in which they came.
///
/// A waiter is in line if it waits, and only then: who gives up is removed at once. Nothing is counted beside the line itself.
struct FairLine {
    private struct Line {
        var waiters = LinkedQueue<LeaseWaiter>()
        /// The place in the turns.
        var turn: Int
    }

    private var lines: [Identity: Line] = [:]
    /// Each identity that has a line, once.
    private var turns = LinkedQueue<Identity>()
    /// The waiters that an actor acts in, by actor.
    private var acting: [Identity: [ObjectIdentifier: LeaseWaiter]] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ waiter: LeaseWaiter) {
        let identity = waiter.request.lessee
        if lines[identity] == nil { lines[identity] = Line(turn: turns.append(identity)) }
        waiter.placeInLine.store(lines[identity]?.waiters.append(waiter) ?? 0, ordering: .relaxed)
        for actor in identity.actor?.identities ?? [] { acting[actor, default: [:]][ObjectIdentifier(waiter)] = waiter }
        count += 1
    }

    /// Takes the next: the first of the identity that is next, which then goes behind all others.
    mutating func popFirst() -> LeaseWaiter? {
        guard let identity = turns.first, let waiter = lines[identity]?.waiters.first else { return nil }
        remove(waiter)
        if let turn = lines[identity]?.turn {
            turns.remove(at: turn)
            lines[identity]?.turn = turns.append(identity)
        }
        return waiter
    }

    /// Takes one out, if it is in line.
    mutating func remove(_ waiter: LeaseWaiter) {
        let (identity, place) = (waiter.request.lessee, waiter.placeInLine.exchange(0, ordering: .relaxed))
        if place == 0 { return }
        count -= 1
        lines[identity]?.waiters.remove(at: place)
        if let line = lines[identity], line.waiters.isEmpty {
            lines[identity] = nil
            turns.remove(at: line.turn)
        }
        for actor in identity.actor?.identities ?? [] {
            acting[actor]?[ObjectIdentifier(waiter)] = nil
            if acting[actor]?.isEmpty == true { acting[actor] = nil }
        }
    }

    /// Takes those of one identity, and those that it acts in.
    mutating func removeAll(involving identity: Identity) -> [LeaseWaiter] {
        let all = (lines[identity]?.waiters.elements ?? []) + Array((acting[identity] ?? [:]).values)
        for waiter in all { remove(waiter) }
        return all
    }

    mutating func removeAll() -> [LeaseWaiter] {
        let all = lines.values.flatMap(\.waiters.elements)
        for waiter in all { remove(waiter) }
        return all
    }
}
