import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// Polls waiting operations for changes that they announce to no one.
///
/// An operation announces changes only to its queue. A watch reports the usual one, that its dependencies have
/// finished. Polling finds the others: that it was cancelled, got another dependency or priority after it was added, or
/// has its own readiness. ``OperationLookPace`` sets the interval; polling takes less than a fiftieth of the time.
final class OperationAttendant: Sendable {
    static let shared = OperationAttendant()

    /// By the operation that is stood in for; in shards, so that workers seldom wait.
    private let shards = (0..<16).map { _ in Locked<Shard>([:]) }
    /// True if the next poll is to come as soon as possible.
    private let isLookingSoon = Atomic(false)
    private let coming = Locked(ComingLooks())
    /// The threads on which a stand-in starts its operation now, with those that wait for that one: as many as there are workers.
    private let starters = Locked<[Starter]>([])
    /// The stand-ins that had to wait for others, as long as they live; while there is none, starters are not looked up.
    private let waiting = Atomic(0)
    private let queue = DispatchQueue(label: "multi-identity.operation-attendant")

    private typealias Shard = [ObjectIdentifier: Attended]

    /// A stand-in, which its queue retains; if the queue's class has dropped it, nothing waits.
    private struct Attended {
        weak var standIn: OperationStandIn?
    }

    private struct ComingLooks {
        var pace = OperationLookPace()
        /// The round of later ones: all earlier ones have been overtaken.
        var round = 0
        /// Fifty times the duration of the last poll.
        var least = Duration.zero
    }

    private struct Starter {
        let thread: pthread_t
        var waiting: [OperationStandIn] = []
    }

    /// Attends a stand-in until it starts its operation.
    ///
    /// - Returns: `false` if the operation already has a stand-in.
    func attend(_ standIn: OperationStandIn) -> Bool {
        let operation = ObjectIdentifier(standIn.operation)
        let earlier = shard(of: operation).withLock { entries in
            // One that waits is here until it starts.
            let earlier = entries[operation]?.standIn
            if earlier == nil { entries[operation] = Attended(standIn: standIn) }
            return earlier
        }
        if earlier == nil { beginToLook() }
        return earlier == nil
    }

    /// Attends a stand-in that takes the place of another one for the same operation.
    func attend(successor standIn: OperationStandIn) {
        let operation = ObjectIdentifier(standIn.operation)
        shard(of: operation).withLock { $0[operation] = Attended(standIn: standIn) }
        beginToLook()
    }

    /// Forgets the stand-in of an operation.
    func dismiss(_ operation: Operation) {
        let operation = ObjectIdentifier(operation)
        shard(of: operation).withLock { _ = $0.removeValue(forKey: operation) }
    }

    /// Forgets the stand-in of an operation, if it is gone: there may be another one by now.
    func dismissGone(_ operation: Operation) {
        let operation = ObjectIdentifier(operation)
        let other = shard(of: operation).withLock { entries in
            let other = entries[operation]?.standIn
            if other == nil { entries[operation] = nil }
            return other
        }
        withExtendedLifetime(other) {}  // out of the lock
    }

    /// Checks one stand-in as soon as all dependents know that its last dependency has finished.
    ///
    /// That is when its `start` has returned, if a stand-in started it on this thread; otherwise soon.
    func lookSoon(at standIn: OperationStandIn) {
        let isLeftToStarter = starters.withLock { starters in
            guard let here = starters.lastIndex(where: { $0.thread == pthread_self() }) else { return false }
            starters[here].waiting.append(standIn)
            return true
        }
        if isLeftToStarter { return }
        queue.asyncAfter(deadline: .now() + .microseconds(50)) { [weak standIn] in standIn?.follow() }
    }

    /// Calls an operation's `start`, and checks those that waited for it before the queue learns that it has finished:
    /// a queue asks all waiting ones while its next operation is not ready.
    func starting(_ start: () -> Void) {
        if waiting.load(ordering: .acquiring) == 0 { return start() }
        let thread = pthread_self()
        starters.withLock { $0.append(Starter(thread: thread)) }
        start()
        let starter = starters.withLock { starters in
            starters.lastIndex { $0.thread == thread }.map { starters.remove(at: $0) }
        }
        for standIn in starter?.waiting ?? [] { standIn.follow() }
    }

    func someoneWaits() { waiting.add(1, ordering: .releasing) }

    func someoneWaitsNoMore() { waiting.subtract(1, ordering: .releasing) }

    private func shard(of operation: ObjectIdentifier) -> Locked<Shard> {
        // Objects are aligned to 16 bytes.
        shards[Int(UInt(bitPattern: operation) >> 4) % shards.count]
    }

    private func beginToLook() {
        // A poll is usually due already: a load is cheaper than an exchange.
        if isLookingSoon.load(ordering: .sequentiallyConsistent) { return }
        if isLookingSoon.exchange(true, ordering: .sequentiallyConsistent) { return }
        look(after: max(OperationLookPace.shortest, coming.withLock { $0.least })) { attendant in
            // Cleared before polling: a stand-in that comes from here on requests another poll, or is seen now.
            attendant.isLookingSoon.store(false, ordering: .sequentiallyConsistent)
            attendant.coming.withLock { coming in
                coming.pace = OperationLookPace()
                coming.round += 1
            }
            attendant.look()
        }
    }

    private func look(after interval: Duration, _ look: @escaping @Sendable (OperationAttendant) -> Void) {
        let (seconds, attoseconds) = interval.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in look(self) }
    }

    private func look() {
        let standIns = shards.flatMap { $0.withLock { $0.values.compactMap(\.standIn) } }
        guard !standIns.isEmpty else { return }
        var hasChanged = false
        let duration = ContinuousClock().measure {
            for standIn in standIns where standIn.follow() { hasChanged = true }
        }
        let (interval, round) = coming.withLock { coming in
            coming.least = duration * 50
            return (max(coming.pace.next(hasChanged: hasChanged), coming.least), coming.round)
        }
        look(after: interval) { attendant in
            if attendant.coming.withLock({ $0.round == round }) { attendant.look() }
        }
    }
}

/// The interval between polls of waiting operations.
///
/// It is a few milliseconds after one was added or has changed, and then doubles each time, so that a process with a
/// waiting operation can sleep. A change is noticed within the time that nothing had changed before, and within
/// ``longest`` in any case.
struct OperationLookPace {
    static let shortest = Duration.milliseconds(5)
    static let longest = Duration.milliseconds(250)

    private var last = Self.shortest

    /// The time to the next poll, after one that did or did not find a change.
    mutating func next(hasChanged: Bool) -> Duration {
        last = hasChanged ? Self.shortest : min(last * 2, Self.longest)
        return last
    }
}
