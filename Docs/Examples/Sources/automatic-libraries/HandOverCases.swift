import Dispatch
import MultiIdentity

/// Promises that apply to every hand-over of a closure.
enum HandOverCases {
    typealias HandOver = @Sendable (@escaping @Sendable () -> Void) -> Void

    private static let plain: [(name: String, handOver: HandOver)] = [
        ("async", { DispatchQueue.global().async(execute: $0) }),
        ("async, as a barrier", { DispatchQueue(label: "barrier").async(flags: .barrier, execute: $0) }),
        ("async, in a group", { DispatchQueue.global().async(group: DispatchGroup(), execute: $0) }),
        ("asyncAfter", { DispatchQueue.global().asyncAfter(deadline: .now(), execute: $0) }),
        ("a group's notification", { DispatchGroup().notify(queue: .global(), execute: $0) }),
    ]

    private static let items: [(name: String, handOver: HandOver)] = [
        ("a work item", { DispatchQueue.global().async(execute: DispatchWorkItem(block: $0)) }),
        ("sync", { work in DispatchQueue.global().sync(flags: .barrier, execute: work) }),
        ("concurrentPerform", { work in DispatchQueue.concurrentPerform(iterations: 1) { _ in work() } }),
    ]

    /// The wrappers, whose underlying calls automatic mode also replaces.
    private static let carrying: [(name: String, handOver: HandOver)] = [
        ("carried: async", { IdentityQueue.global().async(execute: $0) }),
        ("carried: async, in a group", { IdentityQueue.global().async(group: DispatchGroup(), execute: $0) }),
        ("carried: async, with a QoS", { IdentityQueue.global().async(qos: .utility, execute: $0) }),
        ("carried: async, as a barrier", { concurrent.async(flags: .barrier, execute: $0) }),
        ("carried: async, on a serial queue", { IdentityQueue(label: "serial").async(execute: $0) }),
        ("carried: async, in batches", { IdentityQueue(label: "batched", draining: .inBatches).async(execute: $0) }),
        ("carried: asyncAfter a deadline", { IdentityQueue.global().asyncAfter(deadline: .now(), execute: $0) }),
        ("carried: asyncAfter a clock", { IdentityQueue.global().asyncAfter(wallDeadline: .now(), execute: $0) }),
        ("carried: notification", { DispatchGroup().propagatingIdentity.notify(queue: .global(), execute: $0) }),
    ]

    private static let concurrent = IdentityQueue(label: "concurrent", attributes: .concurrent)

    static func check(_ cases: inout Cases) async {
        guard let ada = try? Identity("ada@contoso.com"), let bob = try? Identity("bob@contoso.com") else { return }
        for (name, handOver) in plain + carrying {
            // Rule 6.2.
            await cases.check("what a closure owns goes outside its scope: \(name)") {
                let (ran, giverHasLetGo) = (Notes<Identity?>(), DispatchSemaphore(value: 0))
                func give(_ farewell: Farewell) {
                    withIdentity(ada) {
                        handOver {
                            giverHasLetGo.wait()
                            ran.add(Identity.current)
                            withExtendedLifetime(farewell) {}
                        }
                    }
                }
                let released = await withCheckedContinuation { continuation in
                    give(Farewell { continuation.resume(returning: $0) })
                    giverHasLetGo.signal()
                }
                try expect(ran.all, [ada])
                try expect(released, nil)
            }
        }
        for (name, handOver) in plain + items {
            await cases.check("a task inside a thread's scope hands over as itself: \(name)") {
                let seen = await withCheckedContinuation { continuation in
                    // On a worker, where no task runs.
                    DispatchQueue.global().async {
                        withIdentity(bob) { continuation.resume(returning: Self.seen(by: handOver, as: ada)) }
                    }
                }
                try expect(seen, [bob, nil, ada, bob])
            }
        }
    }

    /// The identities of the work: handed over before the tasks, in a task with nothing bound, in a nested task for
    /// `identity`, and after both.
    private static func seen(by handOver: @escaping HandOver, as identity: Identity) -> [Identity?] {
        let seen = Notes<Identity?>()
        @Sendable func next() {
            let ran = DispatchSemaphore(value: 0)
            handOver {
                seen.add(Identity.current)
                ran.signal()
            }
            wait(for: ran)
        }
        next()
        _ = Task.immediateDetached {
            next()
            _ = Task.immediateDetached { withIdentity(identity) { next() } }
        }
        next()
        return seen.all
    }

    /// Blocks, also in a task, which the language advises against: the task has to stay on its thread.
    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}

/// Reports which identity is bound where it is released.
private final class Farewell: Sendable {
    private let said: @Sendable (Identity?) -> Void

    init(_ said: @escaping @Sendable (Identity?) -> Void) { self.said = said }

    deinit { said(Identity.current) }
}
