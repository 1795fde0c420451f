import CMultiIdentity
import Dispatch
import Synchronization

extension IdentityQueue {
    /// Captured when called: runs `work` once for each iteration, in parallel, each as the identity bound at the call.
    ///
    /// It waits for all of them. Each worker thread binds the identity once for all its iterations; called from main code, the
    /// calling thread's iterations count as on main.
    ///
    /// - Parameters:
    ///   - iterations: The number of iterations; the argument of `work` counts from 0.
    ///   - work: The work of one iteration.
    /// - Complexity: O(*iterations*); on the calling thread nothing is bound again.
    @preconcurrency
    public static func concurrentPerform(iterations: Int, execute work: @Sendable (Int) -> Void) {
        let caller = CallersThread(at: .concurrentPerform, runsNothing: false)
        // Each worker thread takes iterations until none is left, and so binds the identity only once.
        let next = Atomic(0)
        CallersThread.wait {
            DispatchQueue.concurrentPerform(iterations: min(iterations, Int(mi_processor_count()))) { _ in
                caller.run {
                    while true {
                        let iteration = next.wrappingAdd(1, ordering: .relaxed).oldValue
                        if iteration >= iterations { break }
                        work(iteration)
                    }
                }
            }
        }
    }
}
