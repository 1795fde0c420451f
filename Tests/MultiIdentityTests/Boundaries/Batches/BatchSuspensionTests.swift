import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A queue that drains in batches suspends and shares its target like any queue") struct BatchSuspensionTests {
    @Test(
        "suspended in the middle of a batch, it begins no further work, and runs the rest first when resumed",
        .rule("4.12")
    )
    func inTheMiddle() async {
        let (while_, after) = await onNewThread {
            let notes = Notes<Int>()
            let queue = IdentityQueue(label: "batched", draining: .inBatches)
            let (isSuspended, hasWaited) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.suspend()
            for number in 0..<300 {
                queue.async {
                    notes.add(number)
                    if number == 50 {
                        queue.suspend()
                        isSuspended.signal()
                    }
                }
            }
            queue.asyncAfter(deadline: .now() + .milliseconds(1)) { notes.add(1_000) }
            // In the queue at once, as the group is empty: behind all turns except the one that is requested in the middle.
            DispatchGroup().propagatingIdentity.notify(queue: queue) { notes.add(3_000) }
            DispatchQueue.global().async {
                queue.sync { notes.add(2_000) }
                hasWaited.signal()
            }
            queue.resume()
            isSuspended.wait()
            // Behind anything that the pool's threads and the timer hand over in the meantime, if the queue ran it.
            _ = hasWaited.wait(timeout: .now() + .milliseconds(50))
            let while_ = notes.all
            for number in 300..<310 { queue.async { notes.add(number) } }
            queue.resume()
            queue.sync {}
            hasWaited.wait()
            return (while_, queue.sync { notes.all })
        }
        #expect(while_ == Array(0...50))
        #expect(after.filter { $0 < 1_000 } == Array(0..<310))
        // Work handed over before the rest has run comes after the list at the time of the suspension.
        #expect((after.firstIndex(of: 1_000) ?? 0) >= 300)
        #expect((after.firstIndex(of: 2_000) ?? 0) >= 300)
        #expect((after.firstIndex(of: 3_000) ?? 0) >= 300)
    }

    @Test("delayed work that is due before the rest of an interrupted batch runs after that rest")
    func delayed() async throws {
        let ran = try await onNewThread { () -> Result<[Int], any Error> in
            Result {
                let notes = Notes<Int>()
                let queue = IdentityQueue(label: "batched", draining: .inBatches)
                // The closure that `asyncAfter` passes to Dispatch, submitted as a timer does that fires in the meantime.
                let due = try #require(queue.batches).inTurn({ notes.add(3) }, BoundaryCapture(at: .asyncAfter))
                let isSuspended = DispatchSemaphore(value: 0)
                queue.suspend()
                queue.async {
                    notes.add(1)
                    queue.suspend()
                    queue.base.async(execute: due)
                    isSuspended.signal()
                }
                queue.async { notes.add(2) }
                queue.resume()
                isSuspended.wait()
                queue.resume()
                // Twice, since the first may come before the work at the end of the list.
                queue.sync {}
                return queue.sync { notes.all }
            }
        }.get()
        #expect(ran == [1, 2, 3])
    }

    @Test("lets other queues on its target run after at most a batch", .rule("4.12"), arguments: [true, false])
    func fairness(_ isRetargeted: Bool) async {
        let place = await onNewThread {
            let (notes, target) = (Notes<Int>(), DispatchQueue(label: "target"))
            let busy = IdentityQueue(
                label: "busy",
                attributes: .initiallyInactive,
                target: isRetargeted ? nil : target,
                draining: .inBatches
            )
            if isRetargeted { busy.setTarget(queue: target) }
            busy.activate()
            let other = DispatchQueue(label: "other", target: target)
            target.suspend()
            for number in 0..<10_000 { busy.async { notes.add(number) } }
            other.async { notes.add(-1) }
            target.resume()
            let ran = busy.sync { notes.all }
            return (ran.firstIndex(of: -1), ran.filter { $0 >= 0 } == Array(0..<10_000))
        }
        #expect((place.0 ?? .max) <= WorkInBatches.bound)
        #expect(place.1)
    }

    @Test("lets other queues on its target run although its work hands over more and more", .rule("4.12"))
    func feedingItself() async {
        await onNewThread {
            let target = DispatchQueue(label: "target")
            let busy = IdentityQueue(label: "busy", target: target, draining: .inBatches)
            let (isOver, hasEnded) = (Locked(false), DispatchSemaphore(value: 0))
            @Sendable func feed() {
                if isOver.withLock({ $0 }) { hasEnded.signal() } else { busy.async { feed() } }
            }
            for _ in 0..<10 { busy.async { feed() } }
            DispatchQueue(label: "other", target: target).async { isOver.withLock { $0 = true } }
            for _ in 0..<10 { hasEnded.wait() }
        }
    }

    @Test("released with work in it, it runs all of it", .rule("4.12"), arguments: [1, 1_000])
    func letGo(_ count: Int) async {
        let group = DispatchGroup()
        let notes = Notes<Int>()
        await onNewThread {
            let queue = IdentityQueue(label: "batched", draining: .inBatches)
            queue.suspend()
            for number in 0..<count { queue.async(group: group) { notes.add(number) } }
            queue.resume()
        }
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        #expect(notes.all == Array(0..<count))
    }
}
