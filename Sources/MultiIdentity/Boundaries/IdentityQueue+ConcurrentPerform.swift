import Dispatch

extension IdentityQueue {
    /// Captured when called: runs `work` once for each iteration, in parallel, each as the identity bound at the call.
    ///
    /// It waits for all of them. Every thread that helps takes the identity on for its iterations; called from main code,
    /// the calling thread's share counts as on main.
    ///
    /// - Parameters:
    ///   - iterations: How often; the argument of `work` counts from 0.
    ///   - work: The work of one iteration.
    /// - Complexity: O(*iterations*); on the calling thread nothing is bound anew.
    public static func concurrentPerform(iterations: Int, execute work: @Sendable (Int) -> Void) {
        let caller = CallersThread(at: .concurrentPerform)
        CallersThread.wait {
            DispatchQueue.concurrentPerform(iterations: iterations) { iteration in
                caller.run { work(iteration) }
            }
        }
    }
}
