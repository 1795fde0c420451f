import Dispatch
import MultiIdentity

/// Plain calls of a program without identities: `raw` and `floor` are counted without automatic mode, the others with it
/// linked.
extension HopCase {
    /// In the order of the tables.
    public static let plain: [HopCase] = {
        var plain: [HopCase] = []
        for hop in all + languageCases where hop.way == "raw" && plainBoundaries.contains(hop.boundary) {
            plain.append(hop.plain("raw", .nothingAnyMore))
            if hop.boundary == "work-item" {
                plain.append(itemFloor.plain("floor", .nothingAnyMore))
                plain.append(threadLocalItem.plain("floor-bound", .threadLocal))
            }
            plain.append(hop.plain("carried-unbound", .nothingAnyMore))
            plain.append(hop.plain("carried", .identity))
            // A task inherits by itself, and pays for it.
            if hop.boundary == "task-start" { plain.append(hop.plain("raw-bound", .identity)) }
        }
        return plain
    }()

    private static let plainBoundaries: Set = [
        "async", "async-concurrent", "async-group", "sync", "work-item", "group-notify", "async-after",
        "operation-closure", "concurrent-perform", "task-async", "task-start",
    ]

    /// The language's own use of Dispatch.
    private static let languageCases = [
        HopCase("task-start", "raw", isTimed: false) {
            let (held, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            return HopParts(
                // The only worker, on the one processor that this is counted on.
                hold: { Task { waitHere(for: held) } },
                enqueue: { hops in for _ in 0..<hops { Task {} } },
                drain: {
                    Task { ended.signal() }
                    held.signal()
                    ended.wait()
                }
            )
        }
    ]

    /// The minimum cost of an item that stores its identity, including nobody: `perform()` calls its block without any
    /// entry point, so the block itself has to check, and needs memory for what to check.
    private static let itemFloor = HopCase("work-item", "floor") {
        let (queue, counter) = (DispatchQueue(label: "floor"), Counter())
        return .held(queue) { hops in
            for _ in 0..<hops {
                queue.async(execute: DispatchWorkItem(block: remembering(nil) { counter.value += 1 }))
            }
        }
    }

    @inline(never)
    private static func remembering(
        _ identity: Identity?,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        { if Identity.current == identity { work() } }
    }
}

/// Blocks, also in a task, which the language advises against.
private func waitHere(for semaphore: DispatchSemaphore) { semaphore.wait() }
