import Foundation
import MultiIdentityInterposition
import Testing

extension AutomaticMode {
    @Suite("a request's logger, span and metrics") struct CompanionTests {
        /// A plain way to hand work over.
        enum HandOver: String, CaseIterable {
            case queue, operation, timer

            func callAsFunction(_ work: @escaping @Sendable () -> Void) {
                switch self {
                case .queue: DispatchQueue(label: "work").async(execute: work)
                case .operation: OperationQueue().addOperation(work)
                case .timer:
                    let timer = DispatchSource.makeTimerSource()
                    timer.setEventHandler {
                        work()
                        timer.cancel()
                    }
                    timer.schedule(deadline: .now())
                    timer.activate()
                }
            }
        }

        @Test("are those of the request in what it hands over plainly", arguments: HandOver.allCases)
        func survive(_ handOver: HandOver) async throws {
            try await CompanionRequest().expectAll(acrossA: { handOver($0) })
        }

        @Test("are lost there while it is turned off", arguments: HandOver.allCases)
        func losesThem(_ handOver: HandOver) async throws {
            IdentityInterposition.turnOff()
            await withKnownIssue { try await CompanionRequest().expectAll(acrossA: { handOver($0) }) }
            try IdentityInterposition.turnOn()
        }
    }
}
