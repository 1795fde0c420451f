import MultiIdentity
import MultiIdentityTesting

/// An event loop that runs what it holds when somebody drains it, on that one's thread.
final class Loop: Sendable {
    private let pending = Locked<[ConformingBoundary.Work]>([])

    func enqueue(_ work: @escaping ConformingBoundary.Work) { pending.withLock { $0.append(work) } }

    func next() -> ConformingBoundary.Work? { pending.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func drain() { while let work = next() { work() } }

    var worker: ConformingBoundary.Worker { .drained(plain: { self.enqueue($0) }, { self.drain() }) }
}
