import Dispatch
import Foundation
import MultiIdentity

extension Boundary {
    /// A snapshot carries over whatever boundary is given.
    static let snapshots: [Boundary] = [
        Boundary("snapshot wrapped, on a plain queue", on: .queue, captured: .created) { queue, work in
            let work: Work = IdentitySnapshot.capture().wrap(work)
            return { queue.async(execute: work) }
        },
        Boundary("snapshot wrapped, on a thread", on: .elsewhere, captured: .created) { _, work in
            let work: Work = IdentitySnapshot.capture().wrap(work)
            return { Thread.detachNewThread(work) }
        },
        Boundary("snapshot wrapped, called", on: .caller, captured: .created) { _, work in
            let work: Work = IdentitySnapshot.capture().wrap(work)
            return { work() }
        },
        Boundary("snapshot restored, on a thread", on: .elsewhere) { _, work in
            let snapshot = IdentitySnapshot.capture()
            Thread.detachNewThread { snapshot.restore(work) }
        },
        Boundary("snapshot restored, in a detached task", on: .elsewhere) { _, work in
            let snapshot = IdentitySnapshot.capture()
            Task.detached { await snapshot.restore { () async in work() } }
        },
    ]

    /// Tasks: the language carries, but for detached ones.
    static let tasks: [Boundary] = [
        Boundary("detached task that carries", on: .elsewhere) { _, work in
            Task.propagatingIdentity.detached { work() }
        },
        Boundary("detached task that carries, with a priority", on: .elsewhere) { _, work in
            Task.propagatingIdentity.detached(priority: .utility) { work() }
        },
        Boundary("detached task that carries and throws", on: .elsewhere) { _, work in
            Task.propagatingIdentity.detached { () async throws -> Void in
                await Task.yield()
                work()
                throw CancellationError()
            }
        },
        Boundary("detached task that carries, on main", on: .elsewhere) { _, work in
            Task.propagatingIdentity.detached { @MainActor in work() }
        },
        Boundary("task", on: .elsewhere) { _, work in Task { work() } },
        Boundary("task that starts at once", on: .caller) { _, work in Task.immediate { work() } },
        Boundary("task that starts at once, once resumed", on: .elsewhere) { _, work in
            let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
            Task.immediate {
                await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
                work()
            }
            // It waits by now. Resumed before it did, as by `Task.yield`, it would sometimes go on here at once.
            waiting.withLock { $0 }?.resume()
        },
        Boundary("task group", on: .elsewhere) { _, work in
            Task { await withTaskGroup(of: Void.self) { group in group.addTask { work() } } }
        },
        Boundary("async let", on: .elsewhere) { _, work in
            Task(executorPreference: OneQueue()) {
                async let done: Void = work()
                await done
            }
        },
    ]
}
