import Dispatch
import MultiIdentityTesting

extension Boundary {
    /// This boundary with its known properties, on its own queue, for the checks that adopters run too.
    ///
    /// The limit only ends hanging work: in parallel with all other tests, on two cores, work can wait for a minute.
    var conforming: BoundaryConformance {
        let (queue, prepare) = (DispatchQueue(label: "boundary"), prepare)
        let boundary = BoundaryConformance(name, capturedWhen: capturePoint) { work in prepare(queue, work) }
            .within(.seconds(300))
        let known =
            switch worker {
            case .caller: boundary.running(on: .callingThread)
            case .queue: boundary.running(on: .reachable { work in queue.async(execute: work) })
            case .elsewhere: boundary
            case .elsewhereAwaited: boundary.awaited()
            }
        return isReusable ? known.reusable() : known
    }

    private var capturePoint: BoundaryConformance.CapturePoint {
        switch captured {
        case .dispatched: .handedOver
        case .created: .created
        case .registered: .registered
        }
    }
}
