import Dispatch
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A request's logger, span and metrics") struct CompanionTests {
    /// A way to hand work over that loses task-locals.
    enum HandOver: String, CaseIterable {
        case queue, operation, timer, detachedTask

        func callAsFunction(_ work: @escaping @Sendable () -> Void) {
            switch self {
            case .queue: IdentityQueue(label: "work").async(execute: work)
            case .operation: IdentityOperationQueue().addOperation(work)
            case .timer:
                let timer = DispatchSource.makeTimerSource().propagatingIdentity
                timer.setEventHandler {
                    work()
                    timer.cancel()
                }
                timer.schedule(deadline: .now())
                timer.activate()
            case .detachedTask: Task.propagatingIdentity.detached { work() }
            }
        }
    }

    @Test("are those of the request in what it hands over", arguments: HandOver.allCases)
    func survive(_ handOver: HandOver) async throws {
        try await CompanionRequest().expectAll(acrossA: { handOver($0) })
    }
}
