import Dispatch
import MultiIdentity
import Synchronization

/// A drawn program of scopes and hand-overs: boxes for queues, items that run by hand, and plain tasks.
final class Propagation: Sendable {
    private enum Other {
        @TaskLocal static var value = 0
    }

    private let trace: Trace
    private let names: [Identity]
    private let draw: Mutex<SeededGenerator>
    private let queues = (0..<2).map { IdentityQueue(label: "queue \($0)") }
    private let group = DispatchGroup()
    private let items = Mutex<[(Int, @Sendable () -> Void)]>([])

    init(_ names: [Identity], seed: UInt64) {
        self.names = names
        draw = Mutex(SeededGenerator(seed: seed))
        trace = Trace(of: names, pieces: 8)
    }

    func run() async -> String {
        DispatchQueue.global().async(group: group) { for _ in 0..<3 { self.act(depth: 0, inTask: false) } }
        DispatchQueue.global().async(group: group) { self.act(depth: 0, inTask: false) }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        return trace.line
    }

    private func drawn(_ limit: Int) -> Int { draw.withLock { $0.below(limit) } }

    private func act(depth: Int, inTask: Bool) {
        guard depth < 4 else { return }
        switch drawn(6) {
        case 0, 1:
            let index = drawn(3)
            trace.add("S", trace.thread, index)
            withIdentity(index == 0 ? nil : names[index - 1]) {
                for _ in 0..<drawn(3) { act(depth: depth + 1, inTask: inTask) }
            }
            trace.add("U", trace.thread, trace.here)
        case 2: handOver { work in self.queues[self.drawn(2)].async(group: self.group, execute: work) }
        case 3 where !inTask:
            trace.add("F", trace.thread)
            Other.$value.withValue(1) { act(depth: depth + 1, inTask: inTask) }
            trace.add("G", trace.thread)
        case 4:
            guard let piece = trace.handOver(trace.here, 20 + trace.thread) else { return }
            let item = IdentitySnapshot.capture().wrap { self.perform(piece, depth: 2, inTask: inTask) }
            items.withLock { $0.append((piece, item)) }
        case 5:
            if drawn(2) == 0, !inTask, let item = items.withLock({ $0.randomlyLast(self.drawn(8)) }) { return item() }
            guard let piece = trace.handOver(trace.here, 30 + trace.thread) else { return }
            group.enter()
            Task {
                self.perform(piece, depth: 2, inTask: true)
                self.group.leave()
            }
        default: return
        }
    }

    private func handOver(_ hand: (@escaping @Sendable () -> Void) -> Void) {
        guard let piece = trace.handOver(trace.here, 10 + trace.thread) else { return }
        hand { self.perform(piece, depth: 1, inTask: false) }
    }

    private func perform(_ piece: Int, depth: Int, inTask: Bool) {
        trace.add("B", piece, trace.here, trace.thread)
        for _ in 0..<drawn(3) { act(depth: depth, inTask: inTask) }
        trace.add("E", piece, trace.here, trace.thread)
    }
}

extension [(Int, @Sendable () -> Void)] {
    /// The last of them, or one before.
    fileprivate func randomlyLast(_ number: Int) -> (@Sendable () -> Void)? {
        isEmpty ? nil : self[number % count].1
    }
}
