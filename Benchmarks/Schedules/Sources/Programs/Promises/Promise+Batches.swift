import Dispatch
import MultiIdentity

extension Promise {
    /// The promises of a queue that drains in batches.
    static let batches = [
        Promise("a queue in batches keeps its order, and rests while it is suspended", suspendedBatches),
        Promise("a queue in batches keeps its order, for work that is due too", dueWork),
        Promise("a queue in batches runs what comes after it was empty", batchesAfterOthers),
        Promise("a queue in batches gives way, and goes on", longBatches),
    ]

    private static func suspendedBatches(_ findings: Findings) async throws {
        let queue = IdentityQueue(label: "batched", draining: .inBatches)
        let (group, order, isSuspended, runs) = (DispatchGroup(), Log<Int>(), Count(), DispatchSemaphore(value: 0))
        let (ada, bo) = (try account("ada"), try account("bo"))
        @Sendable func workItem(_ user: Identity, _ number: Int) {
            findings.expect(user, "a piece of a batch")
            findings.expect(!isSuspended.isSet, "work item \(number) begins though the queue is suspended")
            order.add(number)
            letOthersGoOn()
        }
        withIdentity(ada) {
            queue.async(group: group) {
                workItem(ada, 0)
                runs.wait()
                isSuspended.set()
                queue.suspend()
                DispatchQueue.global().async(group: group) {
                    isSuspended.add(-1)
                    queue.resume()
                }
                letOthersGoOn()
            }
        }
        withIdentity(bo) {
            IdentityQueue.global().async(group: group) {
                queue.async(group: group) { workItem(bo, 1) }
                queue.async(group: group) { workItem(bo, 2) }
                runs.signal()
                queue.sync { workItem(bo, 3) }
            }
        }
        await end(of: group)
        findings.expect(order.all == [0, 1, 2, 3], "work items run in the order \(order.all)")
    }

    private static func dueWork(_ findings: Findings) async throws {
        let queue = IdentityQueue(label: "batched", draining: .inBatches)
        let (group, order, ada) = (DispatchGroup(), Log<Int>(), try account("ada"))
        @Sendable func workItem(_ number: Int) {
            findings.expect(ada, "a piece of a batch")
            order.add(number)
            group.leave()
        }
        withIdentity(ada) {
            for _ in 0..<5 { group.enter() }
            queue.async {
                workItem(0)
                // Meanwhile the delayed work becomes due, after what was handed over before.
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(2))
                queue.suspend()
                DispatchQueue.global().async { queue.resume() }
            }
            queue.asyncAfter(deadline: .now()) { workItem(1) }
            queue.async { workItem(2) }
            queue.asyncAfter(deadline: .now() + .seconds(1)) { workItem(4) }
            queue.async { workItem(3) }
        }
        await end(of: group)
        findings.expect(order.all == [0, 1, 2, 3, 4], "work items run in the order \(order.all)")
    }

    private static func batchesAfterOthers(_ findings: Findings) async throws {
        let queue = IdentityQueue(label: "batched", draining: .inBatches)
        for user in [try account("ada"), try account("bo"), nil] {
            let group = DispatchGroup()
            withIdentity(user) {
                queue.async(group: group) { findings.expect(user, "a piece of a batch") }
                queue.async(group: group) { findings.expect(user, "a piece of a batch") }
            }
            await end(of: group)
        }
    }

    private static func longBatches(_ findings: Findings) async throws {
        let target = DispatchQueue(label: "target", attributes: .concurrent)
        let queue = IdentityQueue(label: "batched", target: target, draining: .inBatches)
        let (group, ran) = (DispatchGroup(), Count())
        let users = [try account("ada"), nil]
        for number in 0..<200 {
            let user = users[number % 2]
            withIdentity(user) {
                queue.async(group: group) {
                    findings.expect(user, "a piece of a long batch")
                    findings.expect(ran.add() == number + 1, "work item \(number) is overtaken")
                }
            }
        }
        await end(of: group)
    }
}
