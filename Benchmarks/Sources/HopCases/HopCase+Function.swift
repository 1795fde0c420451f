#if os(Linux)
import CDispatch

/// The minimum cost of `async`: libdispatch's function form, called by hand for a closure in its own memory.
///
/// It carries nothing. The difference to `DispatchQueue.async` is the conversion of a closure to a block.
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
            // For the lifetime of the program, since a C queue has no owner in Swift; thread-safe.
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
