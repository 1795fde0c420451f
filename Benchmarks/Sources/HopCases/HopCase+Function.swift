#if os(Linux)
import CDispatch

/// The floor of `async`: the form of libdispatch's call that takes a function, by hand, for a closure in memory of its own.
///
/// It carries nothing. What `DispatchQueue.async` costs beside it is the way from a closure to a block.
extension HopCase {
    private struct Work {
        let body: @Sendable () -> Void

        static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { memory in
            guard let memory else { return }
            let place = memory.assumingMemoryBound(to: Work.self)
            let work = place.move()
            place.deallocate()
            work.body()
        }

        func handOver(to queue: OpaquePointer) {
            let place = UnsafeMutablePointer<Work>.allocate(capacity: 1)
            place.initialize(to: self)
            dispatch_async_f(queue, place, Self.run)
        }
    }

    static let functionCases = [
        HopCase("async", "function") {
            let counter = Counter()
            // For the length of the program, as a queue of C has no owner in Swift; thread-safe.
            nonisolated(unsafe) let queue = dispatch_queue_create("function", nil)
            return HopParts(hold: { dispatch_suspend(dispatch_object_t(_dq: queue)) }) { hops in
                for _ in 0..<hops { Work { counter.value += 1 }.handOver(to: queue) }
            } drain: {
                dispatch_resume(dispatch_object_t(_dq: queue))
                dispatch_sync_f(queue, nil) { _ in }
            }
        }
    ]
}
#else
extension HopCase {
    static let functionCases: [HopCase] = []
}
#endif
