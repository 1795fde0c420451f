#if os(Linux)
import CDispatch
import CMultiIdentityAutomaticMode
import MultiIdentity

/// The functions of Swift that the entry points, which are C, call.
enum AutomaticModeHooks {
    static let all = mi_automatic_hooks(
        capture: { boundary, queue, caller in
            CapturedWord.captured(
                at: { boundaries[boundary] },
                of: { queue.map(label) },
                by: { caller.map { mi_plain_hop_count(mi_plain_hop_find(boundary, queue, $0)) } }
            )
        },
        capture_again: { word, hop in CapturedWord.captured(word, by: { mi_plain_hop_count(hop) }) },
        run: { word, boundary, handedOver, work, context in
            CapturedWord.run(word, at: { boundaries[boundary] }, after: handedOver) { work(context) }
        },
        run_kept: { word, boundary, work, context in
            CapturedWord.runKept(word, at: { boundaries[boundary] }) { work(context) }
        },
        run_bare: { work, context in withIdentity(nil) { work(context) } },
        run_carried: CapturedWord.runWorkBox,
        run_job: { work, job in TaskRun.run(job) { work(job) } }
    )

    private static func label(of queue: UnsafeMutableRawPointer) -> String {
        String(cString: dispatch_queue_get_label(OpaquePointer(queue)))
    }

    /// A boundary of the core for each of C's, in their order.
    struct Boundaries {
        let all: [IdentityBoundary]
        subscript(index: UInt32) -> IdentityBoundary { all[Int(index)] }
    }

    static let boundaries = Boundaries(all: [
        .async, .asyncAfter, .sync, .concurrentPerform, .workItem, .notify, .sourceEvent, .sourceCancel,
        .sourceRegistration, .ioRead, .ioWrite, .ioBarrier, .ioCleanup, .dataDeallocator,
    ])
}
#endif
