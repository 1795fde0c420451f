import Dispatch

@testable import MultiIdentity

extension Boundary {
    /// The methods of an identity queue that take a closure.
    static let queues = asynchronous + delayed + synchronous + inBatches

    private static let asynchronous: [Boundary] = [
        Boundary("async", on: .queue) { IdentityQueue(wrapping: $0).async(execute: $1) },
        Boundary("async with a barrier", on: .queue) {
            IdentityQueue(wrapping: $0).async(flags: .barrier, execute: $1)
        },
        Boundary("async in a group", on: .queue) {
            IdentityQueue(wrapping: $0).async(group: DispatchGroup(), execute: $1)
        },
        Boundary("async with a QoS", on: .queue) { IdentityQueue(wrapping: $0).async(qos: .utility, execute: $1) },
        Boundary("async with flags", on: .queue) {
            IdentityQueue(wrapping: $0).async(flags: [.detached, .enforceQoS], execute: $1)
        },
        Boundary("async with the context assigned", on: .queue) {
            IdentityQueue(wrapping: $0).async(flags: .assignCurrentContext, execute: $1)
        },
        Boundary("async with everything", on: .queue) {
            IdentityQueue(wrapping: $0).async(
                group: DispatchGroup(),
                qos: .background,
                flags: [.barrier, .noQoS],
                execute: $1
            )
        },
        Boundary("async without a handle", on: .queue) { IdentityQueue(wrapping: $0, handle: nil).async(execute: $1) },
        Boundary("async with a barrier, without a handle", on: .queue) {
            IdentityQueue(wrapping: $0, handle: nil).async(flags: .barrier, execute: $1)
        },
        Boundary("async on the view of a queue", on: .queue) { $0.propagatingIdentity.async(execute: $1) },
        Boundary("async on the view of a view", on: .queue) {
            $0.propagatingIdentity.base.propagatingIdentity.async(execute: $1)
        },
        Boundary("async on a queue that targets another", on: .queue) {
            IdentityQueue(label: "upper", target: IdentityQueue(wrapping: $0)).async(execute: $1)
        },
        Boundary("async on a queue that was inactive", on: .queue) {
            let queue = IdentityQueue(label: "upper", attributes: .initiallyInactive, target: $0)
            queue.async(execute: $1)
            queue.activate()
        },
        Boundary("async on a concurrent queue", on: .elsewhere) {
            IdentityQueue(label: "concurrent", attributes: .concurrent).async(execute: $1)
        },
        Boundary("async on a global queue", on: .elsewhere) { IdentityQueue.global(qos: .utility).async(execute: $1) },
    ]

    private static let delayed: [Boundary] = [
        Boundary("asyncAfter a deadline", on: .queue) {
            IdentityQueue(wrapping: $0).asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        Boundary("asyncAfter a deadline, with QoS and flags", on: .queue) {
            IdentityQueue(wrapping: $0).asyncAfter(deadline: .now(), qos: .utility, flags: .barrier, execute: $1)
        },
        Boundary("asyncAfter a wall clock's deadline", on: .queue) {
            IdentityQueue(wrapping: $0).asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
        },
        Boundary("asyncAfter a wall clock's deadline, with QoS and flags", on: .queue) {
            IdentityQueue(wrapping: $0).asyncAfter(wallDeadline: .now(), qos: .utility, flags: .barrier, execute: $1)
        },
    ]

    // No other flag than a barrier: plain `DispatchQueue.sync(flags:)` stops the program on any other on Linux (6.3.1).
    private static let synchronous: [Boundary] = [
        Boundary("sync", on: .caller) { IdentityQueue(wrapping: $0).sync(execute: $1) },
        Boundary("sync with a barrier", on: .caller) { IdentityQueue(wrapping: $0).sync(flags: .barrier, execute: $1) },
        Boundary("sync with no flags", on: .caller) { IdentityQueue(wrapping: $0).sync(flags: [], execute: $1) },
        Boundary("sync without a handle", on: .caller) { IdentityQueue(wrapping: $0, handle: nil).sync(execute: $1) },
        Boundary("sync on a concurrent queue", on: .caller) { _, work in
            IdentityQueue(label: "concurrent", attributes: .concurrent).sync(execute: work)
        },
        Boundary("sync through a queue that targets another", on: .caller) {
            IdentityQueue(label: "upper", target: $0).sync(execute: $1)
        },
        Boundary("sync within sync", on: .caller) { queue, work in
            IdentityQueue(label: "outer").sync { IdentityQueue(wrapping: queue).sync(execute: work) }
        },
        Boundary("sync that throws", on: .caller) { queue, work in
            struct Thrown: Error {}
            try? IdentityQueue(wrapping: queue).sync { () throws(Thrown) in
                work()
                throw Thrown()
            }
        },
        Boundary("concurrentPerform on the calling thread", on: .caller) { _, work in
            IdentityQueue.concurrentPerform(iterations: 1) { _ in work() }
        },
    ]

    /// A queue that drains its work in batches; it runs its work on the one that the test gives.
    private static let inBatches: [Boundary] = [
        Boundary("async in a batch", on: .queue) { batched(on: $0).async(execute: $1) },
        Boundary("async in a batch of others' work", on: .queue) { queue, work in
            let batched = batched(on: queue)
            let others = [try? Identity("one@contoso.com"), nil, .nobody, try? Identity("other@contoso.com")]
            batched.suspend()
            for other in others { withIdentity(other) { batched.async {} } }
            batched.async(execute: work)
            for other in others { withIdentity(other) { batched.async {} } }
            batched.resume()
        },
        Boundary("async with a barrier in a batch", on: .queue) {
            batched(on: $0).async(flags: .barrier, execute: $1)
        },
        Boundary("async in a group, in a batch", on: .queue) {
            batched(on: $0).async(group: DispatchGroup(), execute: $1)
        },
        Boundary("async with everything, in a batch", on: .queue) {
            batched(on: $0).async(
                group: DispatchGroup(),
                qos: .background,
                flags: [.barrier, .enforceQoS],
                execute: $1
            )
        },
        Boundary("asyncAfter a deadline, in a batch", on: .queue) {
            batched(on: $0).asyncAfter(deadline: .now(), execute: $1)
        },
        Boundary("asyncAfter a deadline, beside batches", on: .queue) {
            batched(on: $0).asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        Boundary("asyncAfter a wall clock's deadline, in a batch", on: .queue) {
            batched(on: $0).asyncAfter(wallDeadline: .now(), execute: $1)
        },
        Boundary("asyncAfter a wall clock's deadline, beside batches", on: .queue) {
            batched(on: $0).asyncAfter(wallDeadline: .now() + .milliseconds(1), qos: .utility, execute: $1)
        },
        Boundary("sync beside batches", on: .caller) { batched(on: $0).sync(execute: $1) },
        Boundary("sync with a barrier beside batches", on: .caller) {
            batched(on: $0).sync(flags: .barrier, execute: $1)
        },
        Boundary("sync beside batches on main", on: .elsewhereAwaited) { _, work in
            batched(on: .main).sync(execute: work)
        },
        Boundary("async in a batch on main", on: .elsewhere) { _, work in batched(on: .main).async(execute: work) },
    ]

    static func batched(on queue: DispatchQueue) -> IdentityQueue {
        IdentityQueue(label: "batched", target: queue, draining: .inBatches)
    }

    /// The main queue; what drains it in a test process is a worker thread or the main thread.
    static let mainQueue: [Boundary] = [
        Boundary("async on main", on: .elsewhere) { IdentityQueue.main.async(execute: $1) },
        Boundary("async on main with everything", on: .elsewhere) {
            IdentityQueue.main.async(group: DispatchGroup(), qos: .utility, flags: .enforceQoS, execute: $1)
        },
        Boundary("asyncAfter a deadline on main", on: .elsewhere) {
            IdentityQueue.main.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        Boundary("asyncAfter a wall clock's deadline on main", on: .elsewhere) {
            IdentityQueue.main.asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
        },
        Boundary("sync on main", on: .elsewhereAwaited) { IdentityQueue.main.sync(execute: $1) },
        Boundary("sync on main with a barrier", on: .elsewhereAwaited) {
            IdentityQueue.main.sync(flags: .barrier, execute: $1)
        },
        Boundary("async on a queue that targets main", on: .elsewhere) {
            IdentityQueue(label: "upper", target: .main).async(execute: $1)
        },
        Boundary("sync on a queue that targets main", on: .elsewhereAwaited) {
            IdentityQueue(label: "upper", target: .main).sync(execute: $1)
        },
        Boundary("async on the view of main", on: .elsewhere) {
            DispatchQueue.main.propagatingIdentity.async(execute: $1)
        },
    ]
}
