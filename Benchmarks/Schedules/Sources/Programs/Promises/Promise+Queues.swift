import Dispatch
import MultiIdentity

extension Promise {
    /// The promises of queues, groups and items.
    static let queues = [
        Promise("work is its own, whoever else hands over", workOfSeveral),
        Promise("work for later is its own", workForLater),
        Promise("a barrier runs alone", barriers),
        Promise("a group's notification comes after all its work", notifications),
        Promise("an item's notification comes after it", itemNotifications),
        Promise("iterations are their caller's", iterations),
    ]

    private static func workOfSeveral(_ findings: Findings) async throws {
        let serial = IdentityQueue(label: "serial")
        let concurrent = IdentityQueue(label: "concurrent", attributes: .concurrent)
        let group = DispatchGroup()
        for user in [try account("ada"), try account("bo"), nil] {
            withIdentity(user) {
                group.enter()
                concurrent.async {
                    findings.expect(user, "async")
                    serial.sync { findings.expect(user, "sync") }
                    serial.async(group: group) {
                        findings.expect(user, "group")
                        concurrent.asyncAfter(deadline: .now() + .seconds(60)) {
                            findings.expect(user, "after")
                            group.leave()
                        }
                    }
                    findings.expect(user, "async, later")
                    concurrent.async(flags: .barrier) { findings.expect(user, "barrier") }
                }
                group.propagatingIdentity.notify(queue: serial) { findings.expect(user, "notify") }
            }
        }
        let eve = try account("eve")
        await withIdentity(eve) {
            await withCheckedContinuation { continuation in
                concurrent.async { continuation.resume() }
            }
            findings.expect(eve, "a task")
            async let child: Void = findings.expect(eve, "a child task")
            await child
        }
        // Behind the other notifications.
        await withCheckedContinuation { continuation in group.notify(queue: serial.base) { continuation.resume() } }
    }

    private static func workForLater(_ findings: Findings) async throws {
        let group = DispatchGroup()
        let queue = IdentityQueue(label: "later", attributes: .concurrent)
        for user in [try account("ada"), try account("bo"), nil] {
            withIdentity(user) {
                for seconds in 0..<2 {
                    group.enter()
                    queue.asyncAfter(deadline: .now() + .seconds(seconds)) {
                        findings.expect(user, "work for later")
                        queue.async(group: group) { findings.expect(user, "what it hands over") }
                        group.leave()
                    }
                }
            }
        }
        await end(of: group)
    }

    private static func barriers(_ findings: Findings) async throws {
        let queue = IdentityQueue(label: "store", attributes: .concurrent)
        let (group, store) = (DispatchGroup(), Store(findings))
        for user in [try account("ada"), try account("bo")] {
            withIdentity(user) {
                queue.async(group: group) { store.read() }
                group.enter()
                queue.async(flags: .barrier) {
                    findings.expect(user, "a barrier")
                    store.write()
                    group.leave()
                }
                IdentityQueue.global().async(group: group) {
                    queue.sync(flags: .barrier) { store.write() }
                    findings.expect(user, "who waited for a barrier")
                }
                queue.async(group: group) { store.read() }
            }
        }
        await end(of: group)
    }

    private static func notifications(_ findings: Findings) async throws {
        let concurrent = IdentityQueue(label: "uploads", attributes: .concurrent)
        let batched = IdentityQueue(label: "log", draining: .inBatches)
        let (group, ended, eve) = (DispatchGroup(), Count(), try account("eve"))
        for user in [try account("ada"), try account("bo")] {
            for queue in [concurrent, batched] {
                withIdentity(user) {
                    queue.async(group: group) {
                        letOthersGoOn()
                        findings.expect(user, "work of a group")
                        ended.add()
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in
            withIdentity(eve) {
                group.propagatingIdentity.notify(queue: .global()) {
                    findings.expect(eve, "a notification")
                    findings.expect(ended.value == 4, "the group is told of after \(ended.value) of 4")
                    continuation.resume()
                }
            }
        }
    }

    private static func itemNotifications(_ findings: Findings) async throws {
        let (hasRun, bo, ada) = (Count(), try account("bo"), try account("ada"))
        let item = withIdentity(ada) {
            DispatchWorkItem.propagatingIdentity {
                letOthersGoOn()
                findings.expect(ada, "an item")
                hasRun.set()
            }
        }
        withIdentity(bo) { IdentityQueue.global().async(execute: item) }
        await withCheckedContinuation { continuation in
            withIdentity(bo) {
                item.propagatingIdentity.notify(queue: .global()) {
                    findings.expect(bo, "an item's notification")
                    findings.expect(hasRun.isSet, "the notification comes before the item has run")
                    continuation.resume()
                }
            }
        }
    }

    private static func iterations(_ findings: Findings) async throws {
        let group = DispatchGroup()
        for user in [try account("ada"), try account("bo")] {
            withIdentity(user) {
                IdentityQueue.global().async(group: group) {
                    let count = Count()
                    IdentityQueue.concurrentPerform(iterations: 6) { _ in
                        findings.expect(user, "an iteration")
                        letOthersGoOn()
                        count.add()
                    }
                    findings.expect(count.value == 6, "\(count.value) of 6 iterations have run")
                }
            }
        }
        await end(of: group)
    }
}
