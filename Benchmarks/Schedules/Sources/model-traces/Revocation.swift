import Dispatch
import MultiIdentity
import Synchronization

/// Scopes and hand-overs of one name, while somebody revokes it, drains it, readmits it, and asks whether it is admitted.
final class Revocation: Sendable {
    private let trace: Trace
    private let name: Identity
    private let draw: Mutex<SeededGenerator>
    private let queue = IdentityQueue(label: "work", attributes: .concurrent)
    private let beside = IdentityQueue(label: "what is waited for", attributes: .concurrent)
    private let group = DispatchGroup()
    private let registration = Mutex<RevocationRegistration?>(nil)
    private let isRegistering = Mutex(false)

    init(seed: UInt64) throws {
        // A name of its own, since names stay revoked.
        name = try Identity("ada-\(seed)@example.com")
        draw = Mutex(SeededGenerator(seed: seed))
        trace = Trace(of: [name], pieces: 8)
    }

    func run() async -> String {
        IdentityRevocation.isOn = true
        if drawn(2) == 0 { spawn { await self.waits() } }
        for number in 1...2 {
            DispatchQueue.global().async(group: group) { self.scope(number) }
        }
        spawn { await self.revokes() }
        if drawn(3) > 0 {
            DispatchQueue.global().async(group: group) {
                for _ in 0..<2 {
                    self.trace.add("A", IdentityRevocation.readmit(self.name) ? 1 : 0)
                    DispatchQueue.global().async(group: self.group) {}
                }
            }
        }
        if drawn(2) == 0 {
            DispatchQueue.global().async(group: group) {
                self.isRegistering.withLock { $0 = true }
                let registration = IdentityRevocation.onRevocation(of: self.name) {
                    self.trace.add("C", self.isRegistering.withLock { $0 } ? 1 : 0)
                }
                self.isRegistering.withLock { $0 = false }
                self.registration.withLock { $0 = registration }
                self.trace.add("G")
            }
        }
        DispatchQueue.global().async(group: group) {
            self.trace.add("N", (try? IdentityRevocation.admit(self.name)) == nil ? 0 : 1)
        }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        registration.withLock { $0 = nil }
        IdentityRevocation.readmit(name)
        return trace.line
    }

    private func drawn(_ limit: Int) -> Int { draw.withLock { $0.below(limit) } }

    private func spawn(_ body: @escaping @Sendable () async -> Void) {
        group.enter()
        Task {
            await body()
            group.leave()
        }
    }

    private func scope(_ number: Int) {
        withIdentity(name) {
            trace.add("S", number)
            for _ in 0..<drawn(3) { handOver(20 + number) }
            trace.add("U", number)
        }
    }

    /// A scope of the name in which somebody waits for a drain of it.
    private func waits() async {
        await withIdentity(name) {
            trace.add("S", 0)
            await Task.yield()
            trace.add("V", 0)
            let left = await IdentityRevocation.drained(name, within: .milliseconds(drawn(3)))
            trace.add("X", 0, left.isDrained ? 1 : 0)
            trace.add("U", 0)
        }
    }

    private func revokes() async {
        for _ in 0..<(1 + drawn(2)) {
            IdentityRevocation.revoke(name, for: .signedOut)
            trace.add("R")
            let left = await IdentityRevocation.drained(name, within: .milliseconds(drawn(3)))
            trace.add("D", 0, left.isDrained ? 1 : 0)
        }
    }

    private func handOver(_ how: Int) {
        guard let piece = trace.handOver(trace.here, how) else { return }
        queue.async(group: group) { self.perform(piece) }
    }

    private func perform(_ piece: Int) {
        trace.add("B", piece, trace.here, trace.thread)
        var mayInherit = true
        // What begins as nobody hands nothing over: the model leaves that to plain tasks.
        for _ in 0..<(trace.here == 1 ? drawn(4) : 0) {
            switch drawn(3) {
            case 0: handOver(10 + trace.thread)
            case 1: beside.sync { trace.add("Y", trace.thread, trace.here) }
            case _ where mayInherit:
                mayInherit = false
                trace.add("P", trace.thread)
                spawn {
                    self.trace.add("T", self.trace.here)
                    self.handOver(0)
                }
            default: break
            }
        }
        trace.add("E", piece, trace.here, trace.thread)
    }
}
