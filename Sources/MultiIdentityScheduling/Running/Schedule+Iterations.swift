#if os(Linux)
import CMultiIdentityScheduling

// One call that runs many iterations.
extension Schedule {
    /// Runs iterations here and on as many helpers as are useful, and returns once all have ended.
    func iterate(_ count: UInt, on queue: UnsafeMutableRawPointer?, _ body: @escaping (UInt) -> Void) {
        let iterations = Iterations(count, body)
        let queue = queue.map { self.queue($0) } ?? tasks
        var helpers: [ScheduledWorkItem] = []
        for _ in 0..<max(0, min(Int(count), settings.workers ?? 3) - 1) {
            let context = Unmanaged.passRetained(iterations).toOpaque()
            let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
                guard let context else { return }
                Unmanaged<Iterations>.fromOpaque(context).takeRetainedValue().run()
            }
            let work = mi_scheduled_work(function: run, context: context, item: nil, is_barrier: false)
            helpers.append(enqueue(work, on: queue))
        }
        iterations.run()
        _ = wait(for: "its iterations", iterations.identity, timeout: .max) { iterations.unfinished == 0 }
        for helper in helpers { acquire(helper.clock) }
    }

    /// The iterations of one call, which several threads take in turn.
    private final class Iterations {
        private let count: UInt
        private let body: (UInt) -> Void
        private var next: UInt = 0
        private(set) var unfinished: UInt
        let identity = mi_scheduled_identity(mi_scheduled_made_here(), nil)

        init(_ count: UInt, _ body: @escaping (UInt) -> Void) {
            (self.count, self.body, unfinished) = (count, body, count)
        }

        func run() {
            while next < count {
                let index = next
                next += 1
                Schedule.current?.recordAccess(identity)
                Schedule.current?.yield()
                body(index)
                Schedule.current?.recordAccess(identity)
                unfinished -= 1
            }
        }
    }
}
#endif
