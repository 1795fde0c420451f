import MultiIdentity
import MultiIdentityTesting

/// An event loop that runs its work when a caller drains it, on that caller's thread.
final class Loop: Sendable {
    private let pending = Locked<[BoundaryConformance.Work]>([])

    func enqueue(_ work: @escaping BoundaryConformance.Work) { pending.withLock { $0.append(work) } }

    func next() -> BoundaryConformance.Work? { pending.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func drain() { while let work = next() { work() } }

    var worker: BoundaryConformance.Worker { .drained(plain: { self.enqueue($0) }, { self.drain() }) }
}
