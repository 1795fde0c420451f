import Dispatch
import MultiIdentity
import Synchronization

/// Work of one name that is handed over, hands over itself and starts plain tasks, while the name is revoked, drained and readmitted.
final class Revocation: Sendable {
    private let name: Identity
    private let trace: Trace
    private let draw: Mutex<Draw>
    private let queues = (0..<2).map { IdentityQueue(label: "queue \($0)") }
    private let group = DispatchGroup()

    /// A run under a name of its own, so that none knows of another's revocations.
    init(seed: UInt64) throws {
        name = try Identity("ada.\(seed)@example.com")
        draw = Mutex(Draw(seed: seed))
        trace = Trace(of: [name], pieces: 8)
    }

    func run() async -> String {
        let hasRound = drawn(4) > 0
        DispatchQueue.global().async(group: group) {
            self.trace.add("S")
            withIdentity(self.name) { for _ in 0..<(1 + self.drawn(3)) { self.handOver(9) } }
            self.trace.add("T")
        }
        if hasRound { enter { await self.revoke() } }
        if drawn(2) == 0 { enter { await self.wait() } }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        IdentityRevocation.readmit(name)
        return trace.line
    }

    private func drawn(_ limit: Int) -> Int { draw.withLock { $0.below(limit) } }

    private func enter(_ work: @escaping @Sendable () async -> Void) {
        group.enter()
        Task {
            await work()
            self.group.leave()
        }
    }

    private func revoke() async {
        for _ in 0..<(1 + drawn(2)) {
            IdentityRevocation.revoke(name, for: .signedOut)
            trace.add("R")
            if await IdentityRevocation.drained(name, within: .seconds(1_000)).isDrained { trace.add("D") }
            if drawn(3) > 0 {
                trace.add("A")
                IdentityRevocation.readmit(name)
            }
        }
    }

    private func wait() async {
        trace.add("S", 1)
        await withIdentity(name) { _ = await IdentityRevocation.drained(name, within: .milliseconds(2)) }
        trace.add("T", 1)
    }

    private func handOver(_ from: Int) {
        guard let piece = trace.handOver(1, from) else { return }
        let work: @Sendable () -> Void = { self.perform(piece) }
        let queue = queues[drawn(2)]
        switch drawn(3) {
        case 0: queue.async(group: group, execute: work)
        case 1: queue.async(group: group, qos: .utility, execute: work)
        default: queue.async(group: group, execute: DispatchWorkItem.propagatingIdentity(block: work))
        }
    }

    private func perform(_ piece: Int) {
        let runsAs = trace.here == 1
        trace.add("B", piece, trace.here % 9, trace.thread)
        if runsAs {
            for _ in 0..<drawn(3) { handOver(trace.thread) }
            if drawn(3) == 0 {
                group.enter()
                Task {
                    self.trace.add("P", self.trace.here % 9)
                    self.group.leave()
                }
            }
            if drawn(3) == 0 { IdentityQueue(label: "waited for").sync { if trace.here != 1 { trace.add("?") } } }
        }
        trace.add("E", piece, trace.here % 9, trace.thread)
    }
}
