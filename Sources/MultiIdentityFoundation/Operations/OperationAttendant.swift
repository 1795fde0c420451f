import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// Looks, every now and then while any stand-in waits, at what its operation tells nobody.
///
/// An operation announces changes only to the queue that it is in. The usual one, that its dependencies have finished, is
/// watched; what is left to look for is that it was cancelled, got another dependency or priority after it was added, or
/// has a readiness of its own. How soon such a change is seen, ``OperationLookPace`` says, as long as looking takes less
/// than a twentieth of it.
final class OperationAttendant: Sendable {
    static let shared = OperationAttendant()

    private struct Entry {
        weak var standIn: OperationStandIn?
    }

    /// By the operation that is stood in for, which the stand-in keeps alive; in shards, so that workers seldom wait.
    private let shards = (0..<16).map { _ in Locked<[ObjectIdentifier: Entry]>([:]) }
    /// True if a look is to come as soon as one ever does.
    private let isLookingSoon = Atomic(false)
    /// The pace and the round of the looks that are to come later: all before have been overtaken.
    private let pace = Locked<(OperationLookPace, round: Int)>((OperationLookPace(), 0))
    private let queue = DispatchQueue(label: "multi-identity.operation-attendant")

    /// Attends a stand-in until it starts its operation.
    ///
    /// - Returns: `false` if another one stands in for the same operation already.
    func attend(_ standIn: OperationStandIn) -> Bool {
        let operation = ObjectIdentifier(standIn.operation)
        let isFirst = shard(of: operation).withLock { entries in
            if let entry = entries[operation], let other = entry.standIn, other.isWaiting { return false }
            entries[operation] = Entry(standIn: standIn)
            return true
        }
        if isFirst { beginToLook() }
        return isFirst
    }

    /// Attends a stand-in that takes the place of another one for the same operation.
    func attend(successor standIn: OperationStandIn) {
        let operation = ObjectIdentifier(standIn.operation)
        shard(of: operation).withLock { $0[operation] = Entry(standIn: standIn) }
        beginToLook()
    }

    /// Forgets the stand-in of an operation.
    func dismiss(_ operation: Operation) {
        let operation = ObjectIdentifier(operation)
        shard(of: operation).withLock { $0[operation] = nil }
    }

    /// Looks at one stand-in as soon as all dependents have been notified of the end of its last dependency.
    func lookSoon(at standIn: OperationStandIn) {
        queue.asyncAfter(deadline: .now() + .microseconds(50)) { [weak standIn] in standIn?.follow() }
    }

    private func shard(of operation: ObjectIdentifier) -> Locked<[ObjectIdentifier: Entry]> {
        // Objects stand at multiples of 16 bytes.
        shards[Int(UInt(bitPattern: operation) >> 4) % shards.count]
    }

    private func beginToLook() {
        // Most come while a look is due: a load is cheaper than an exchange.
        if isLookingSoon.load(ordering: .sequentiallyConsistent) { return }
        if isLookingSoon.exchange(true, ordering: .sequentiallyConsistent) { return }
        look(after: OperationLookPace.shortest) { attendant in
            // Cleared before looking: an attendance from here on begins anew, or is seen now.
            attendant.isLookingSoon.store(false, ordering: .sequentiallyConsistent)
            attendant.pace.withLock { $0 = (OperationLookPace(), $0.round + 1) }
            attendant.look()
        }
    }

    private func look(after interval: Duration, _ look: @escaping @Sendable (OperationAttendant) -> Void) {
        let (seconds, attoseconds) = interval.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in look(self) }
    }

    private func look() {
        let standIns = shards.flatMap(living)
        guard !standIns.isEmpty else { return }
        var hasChanged = false
        let duration = ContinuousClock().measure {
            for standIn in standIns where standIn.follow() { hasChanged = true }
        }
        let (interval, round) = pace.withLock { pace in (pace.0.next(hasChanged: hasChanged), pace.round) }
        look(after: max(interval, duration * 20)) { attendant in
            if attendant.pace.withLock({ $0.round == round }) { attendant.look() }
        }
    }

    /// Whatever the lock's body loads leaves it alive: the last release of an operation can run anybody's code.
    private func living(in shard: Locked<[ObjectIdentifier: Entry]>) -> [OperationStandIn] {
        shard.withLock { entries in
            var living: [OperationStandIn] = []
            for (operation, entry) in entries {
                if let standIn = entry.standIn { living.append(standIn) } else { entries[operation] = nil }
            }
            return living
        }
    }
}

/// The time from one look at waiting operations to the next.
///
/// A few milliseconds after one was added or has changed, then twice as long each time, so that a process with an
/// operation that waits can sleep. What changes is seen within as long again as nothing had changed before, and within
/// ``longest`` in any case.
struct OperationLookPace {
    static let shortest = Duration.milliseconds(5)
    static let longest = Duration.milliseconds(250)

    private var last = Self.shortest

    /// The time to the next look, after one that did or did not find something changed.
    mutating func next(hasChanged: Bool) -> Duration {
        last = hasChanged ? Self.shortest : min(last * 2, Self.longest)
        return last
    }
}
