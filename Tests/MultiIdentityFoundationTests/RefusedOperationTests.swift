import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("An operation that no queue can take") struct RefusedOperationTests {
    /// The reason why it cannot be added.
    enum Reason: String, CaseIterable, Sendable, Codable {
        case isFinished, isExecuting, isInAQueue, isInAPlainQueue

        /// Returns an operation in that state.
        func operation(_ kind: QueueKind) -> Operation {
            switch self {
            case .isFinished:
                let operation = SynchronousOperation {}
                operation.start()
                return operation
            case .isExecuting:
                let operation = AsynchronousOperation(finishesByItself: false) {}
                operation.start()
                return operation
            case .isInAQueue, .isInAPlainQueue:
                let (operation, other) = (SynchronousOperation {}, (self == .isInAQueue ? kind : .plain).make())
                other.queue.isSuspended = true
                other.add(operation)
                return operation
            }
        }
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("stops the program with a message", .rule("5.1"), arguments: Reason.allCases)
    func stops(_ reason: Reason) async throws {
        // A stand-in does not see the plain queue.
        for kind in QueueKind.allCases where !(kind.getsStandIns && reason == .isInAPlainQueue) {
            let result = try await #require(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { [reason = reason as Reason, kind = kind.rawValue as String] in
                guard let kind = QueueKind(rawValue: kind) else { return }
                kind.make().add(reason.operation(kind))
            }
            let text = String(decoding: result.standardErrorContent, as: UTF8.self)
            if kind.getsStandIns {
                #expect(text.contains("is finished, executing or already in a queue, and cannot be added to a queue"))
                #expect(text.contains("create a new operation"))
            } else {
                #expect(text.contains("operations finished, executing or already in a queue cannot be enqueued"))
            }
        }
    }
    #endif
}
