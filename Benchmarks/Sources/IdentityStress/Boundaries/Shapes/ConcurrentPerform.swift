import Dispatch
import MultiIdentity

/// `IdentityQueue.concurrentPerform` with four iterations, each of which is checked; one goes on with the chain.
///
/// The caller is asked after the call, and the helpers by the iterations of a raw `concurrentPerform` that follows it.
/// In a part of the calls two iterations meet, and so run on two threads for certain. Raw, the caller's share keeps the
/// identity; so when broken the call is made by a stranger.
struct ConcurrentPerform: Shape {
    private static let iterations = 4

    func handOver(_ hop: Hop, _ way: Way) {
        let caller = ThreadMark.current
        let meeting: Meeting? = hop.step.choices == 0xA4 ? Meeting(hop.request.stress.meetings) : nil
        let chosen = Int(hop.step.variant) % Self.iterations
        let iteration: @Sendable (Int) -> Void = { iteration in
            meeting?.arrive()
            // Main is the thread's: a helper is not on it.
            let isOnMain = hop.callerIsOnMain && ThreadMark.current == caller
            if iteration == chosen {
                hop.run(isOnMain: isOnMain)
            } else {
                hop.check(hop.request.expected, .work, isOnMain: isOnMain)
            }
        }
        switch way {
        case .carried: IdentityQueue.concurrentPerform(iterations: Self.iterations, execute: iteration)
        case .raw:
            hop.raw { DispatchQueue.concurrentPerform(iterations: Self.iterations, execute: iteration) }
        }
        // In automatic mode the helpers would be strangers.
        if hop.request.stress.isAutomatic { return hop.checkCallersThread(isOnMain: hop.callerIsOnMain) }
        withIdentity(hop.stranger) {
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                if ThreadMark.current == caller {
                    hop.checkStrangersWorker(isOnMain: hop.callerIsOnMain)
                } else {
                    hop.checkBareWorker(isOnMain: false)
                }
            }
        }
    }
}
