import MultiIdentity
import Synchronization

/// The waiters of a pool: identities take turns, and the waiters of one identity are served in order of arrival.
///
/// A waiter is in line exactly while it waits: one that gives up is removed at once. Nothing is counted outside the line itself.
struct FairLine {
    private struct Line {
        var waiters = LinkedQueue<LeaseWaiter>()
        /// The identity's place in `turns`.
        var turn: Int
    }

    private var lines: [Identity: Line] = [:]
    /// The identities that have a line, each once.
    private var turns = LinkedQueue<Identity>()
    /// The waiters on whose behalf an actor acts, by actor.
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

    /// Removes and returns the first waiter of the next identity, which then moves behind all others.
    mutating func popFirst() -> LeaseWaiter? {
        guard let identity = turns.first, let waiter = lines[identity]?.waiters.first else { return nil }
        remove(waiter)
        if let turn = lines[identity]?.turn {
            turns.remove(at: turn)
            lines[identity]?.turn = turns.append(identity)
        }
        return waiter
    }

    /// Removes a waiter, if it is in line.
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

    /// Removes the waiters of an identity, and those that it acts for.
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
