import Dispatch
import Foundation
import MultiIdentityTesting

extension PlainBoundary {
    /// Boundaries that the catalogue lacks: calls that return and throw, and what only plain code does.
    static let queues: [PlainBoundary] = [
        sync("sync") { try $0.sync(execute: $1) },
        sync("sync with a barrier") { try $0.sync(flags: .barrier, execute: $1) },
        sync("sync on a concurrent queue", isReentrant: true) { _, work in
            try DispatchQueue(label: "concurrent", attributes: .concurrent).sync(execute: work)
        },
        sync("sync through a queue that targets another") {
            try DispatchQueue(label: "upper", target: $0).sync(execute: $1)
        },
        PlainBoundary("async on a queue that is activated later", on: .elsewhere, captured: .registered) { _, work in
            let queue = DispatchQueue(label: "later", attributes: .initiallyInactive)
            queue.async(execute: work)
            return { queue.activate() }
        },
        PlainBoundary("concurrentPerform on many threads", on: .awaited) { _, work in
            DispatchQueue.concurrentPerform(iterations: 32) { index in if index == 31 { work() } }
        }.reentrant(),
        PlainBoundary("group notification on main", on: .elsewhere, captured: .registered) { _, work in
            let group = DispatchGroup()
            group.enter()
            group.notify(queue: .main, execute: work)
            return { group.leave() }
        },
        PlainBoundary("readable file handle", on: .elsewhere, captured: .registered) { _, work in
            let pipe = Carried(Pipe())
            pipe.value.fileHandleForReading.readabilityHandler = { handle in
                handle.readabilityHandler = nil
                work()
                withExtendedLifetime(pipe) {}
            }
            return { pipe.value.fileHandleForWriting.write(Data([1])) }
        },
    ]

    private static func sync(
        _ name: String,
        isReentrant: Bool = false,
        _ sync: @escaping @Sendable (DispatchQueue, () throws -> Int) throws -> Int
    ) -> PlainBoundary {
        var boundary = PlainBoundary(name, on: .caller) { queue, work in
            _ = try? sync(queue) {
                work()
                return 0
            }
        }
        boundary.isReentrant = isReentrant
        boundary.throwing = { queue, work in
            _ = try? sync(queue) {
                try work()
                return 0
            }
        }
        boundary.returning = { try sync($0, $1) }
        return boundary
    }

    func reentrant() -> PlainBoundary {
        var copy = self
        copy.isReentrant = true
        return copy
    }
}
