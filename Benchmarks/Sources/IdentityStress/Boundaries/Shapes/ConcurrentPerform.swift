import Foundation
import MultiIdentity

/// `IdentityQueue.concurrentPerform` with four checked iterations, one of which continues the chain.
///
/// The caller is checked after the call, and the helpers by the iterations of a raw `concurrentPerform` that follows. Without the
/// package the caller's own iterations keep the identity; so a stranger makes the broken call.
struct ConcurrentPerform: Shape {
    private static let iterations = 4

    func handOver(_ hop: Hop, _ way: Way) {
        let caller = ObjectIdentifier(Thread.current)
        let chosen = Int(hop.step.variant) % Self.iterations
        let iteration: @Sendable (Int) -> Void = { iteration in
            // Main belongs to a thread, and a helper is not on that thread.
            let isOnMain = hop.callerIsOnMain && ObjectIdentifier(Thread.current) == caller
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
                if ObjectIdentifier(Thread.current) == caller {
                    hop.checkStrangersWorker(isOnMain: hop.callerIsOnMain)
                } else {
                    hop.checkBareWorker(isOnMain: false)
                }
            }
        }
    }
}
