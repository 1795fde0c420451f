import Dispatch
import Testing

@testable import MultiIdentity
@testable import MultiIdentityDiagnostics

@Suite("Counters of a boundary", .rule("7.4")) struct CarryCounterTests {
    @Test("distinguish captured, same and swapped, also over threads that have ended") func counting() async {
        let boundary = IdentityBoundary("counted \(UInt64.random(in: 0 ... .max))")
        await ProcessWideSwitch.exclusively(turning: { HopCounters.areEnabled = $0 }) {
            for _ in 0..<3 {
                await onNewThread {
                    let bound = withIdentity(ada) { BoundaryCapture(at: boundary) }
                    let unset = BoundaryCapture(at: boundary)
                    bound.restore { bound.restore {} }
                    unset.restore {}
                }
            }
        }
        let counts = HopCounters.counts(of: boundary)
        #expect(counts.captured == 6)
        #expect(counts.swapped == 3)
        #expect(counts.same == 6)
        #expect(counts.elided == 0)
        #expect(counts.ran == 9)
        #expect(HopCounters.read()[boundary] == counts)
        #expect("\(counts)" == "captured 6, elided 0, same 6, swapped 3")
    }

    @Test("show that sync on the calling thread restores nothing, and a busy queue's async swaps")
    func elision() async {
        let (sync, async) = await ProcessWideSwitch.exclusively(turning: { HopCounters.areEnabled = $0 }) {
            let before = (HopCounters.counts(of: .sync), HopCounters.counts(of: .async))
            let queue = IdentityQueue(label: "counted")
            withIdentity(ada) {
                for _ in 0..<10 { queue.sync {} }
                for _ in 0..<10 { queue.async {} }
            }
            queue.base.sync {}
            let after = (HopCounters.counts(of: .sync), HopCounters.counts(of: .async))
            return (after.0.elided - before.0.elided, after.1.swapped - before.1.swapped)
        }
        // Other work runs in the meantime, and can only add.
        #expect(sync >= 10)
        #expect(async >= 10)
    }

    @Test("count nothing while they are off") func off() async {
        let boundary = IdentityBoundary("never counted")
        await ProcessWideSwitch.exclusively {
            #expect(!HopCounters.areEnabled)
            let captured = withIdentity(ada) { BoundaryCapture(at: boundary) }
            captured.restore {}
        }
        #expect(HopCounters.counts(of: boundary) == .init(captured: 0, elided: 0, same: 0, swapped: 0))
        #expect(HopCounters.read()[boundary] == nil)
    }

    @Test("lose nothing between threads that count at the same time") func concurrently() async {
        let boundary = IdentityBoundary("counted at once")
        await ProcessWideSwitch.exclusively(turning: { HopCounters.areEnabled = $0 }) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        await onNewThread { for _ in 0..<1_000 { _ = BoundaryCapture(at: boundary) } }
                    }
                }
            }
        }
        #expect(HopCounters.counts(of: boundary).captured == 8_000)
    }
}
