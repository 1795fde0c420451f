import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// Looks, every few milliseconds while any stand-in waits, at what its operation tells nobody.
///
/// An operation announces changes only to the queue that it is in. The usual one, that its dependencies have finished, is
/// watched; what is left to look for is that it was cancelled, got another dependency or priority after it was added, or
/// has a readiness of its own.
final class OperationAttendant: Sendable {
    static let shared = OperationAttendant()

    private struct Entry {
        weak var standIn: OperationStandIn?
    }

    /// By the operation that is stood in for, which the stand-in keeps alive; in shards, so that workers seldom wait.
    private let shards = (0..<16).map { _ in Locked<[ObjectIdentifier: Entry]>([:]) }
    private let isLooking = Atomic(false)
    private let queue = DispatchQueue(label: "multi-identity.operation-attendant")

    /// The longest that such a change goes unseen, as long as looking takes less than a twentieth of it.
    private let interval = Duration.milliseconds(5)

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

    /// Looks at one stand-in as soon as whoever finishes its last dependency has said so to all dependents.
    func lookSoon(at standIn: OperationStandIn) {
        queue.asyncAfter(deadline: .now() + .microseconds(50)) { [weak standIn] in standIn?.follow() }
    }

    private func shard(of operation: ObjectIdentifier) -> Locked<[ObjectIdentifier: Entry]> {
        // Objects stand at multiples of 16 bytes.
        shards[Int(UInt(bitPattern: operation) >> 4) % shards.count]
    }

    private func beginToLook() {
        // Most come while looking goes on: a load is cheaper than an exchange.
        if isLooking.load(ordering: .sequentiallyConsistent) { return }
        if !isLooking.exchange(true, ordering: .sequentiallyConsistent) { lookLater(after: interval) }
    }

    private func lookLater(after interval: Duration) {
        let (seconds, attoseconds) = interval.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in look() }
    }

    private func look() {
        // Cleared before looking: whoever attends from here on begins anew, or is seen now.
        isLooking.store(false, ordering: .sequentiallyConsistent)
        let standIns = shards.flatMap(living)
        guard !standIns.isEmpty else { return }
        let duration = ContinuousClock().measure { for standIn in standIns { standIn.follow() } }
        if !isLooking.exchange(true, ordering: .sequentiallyConsistent) {
            lookLater(after: max(interval, duration * 20))
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
