import Dispatch
import MultiIdentity
import Synchronization

/// Two that hand work over to a queue that drains in batches, one as somebody and one as nobody known, and one that suspends it.
final class Batches: Sendable {
    private let trace: Trace
    private let name: Identity
    private let draw: Mutex<SeededGenerator>
    private let queue = IdentityQueue(label: "batches", draining: .inBatches)
    private let group = DispatchGroup()

    init(_ name: Identity, seed: UInt64) {
        self.name = name
        draw = Mutex(SeededGenerator(seed: seed))
        trace = Trace(of: [name], pieces: 11)
    }

    func run() async -> String {
        for number in 0..<2 {
            DispatchQueue.global().async(group: group) {
                withIdentity(number == 0 ? nil : self.name) { for _ in 0..<(1 + self.drawn(5)) { self.handOver() } }
            }
        }
        if drawn(2) == 0 {
            DispatchQueue.global().async(group: group) {
                self.queue.suspend()
                self.trace.add("Z")
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(50)) {
                    self.trace.add("W")
                    self.queue.resume()
                }
            }
        }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        return trace.line
    }

    private func drawn(_ limit: Int) -> Int { draw.withLock { $0.below(limit) } }

    private func handOver() {
        guard let piece = trace.handOver(trace.here, 0) else { return }
        queue.async(group: group) {
            self.trace.add("B", piece, self.trace.here)
            if piece == 0 { self.handOver() }
            self.trace.add("E", piece, self.trace.here)
        }
    }
}
