import Foundation
import MultiIdentityFoundation
import Testing

@testable import MultiIdentity

@Suite("Captures of an operation", .rule("6.2")) struct OperationLifetimeTests {
    private final class Load: Sendable {}

    @Test(
        "are released when the operation has run, or was cancelled before",
        arguments: ["run", "cancel", "cancel while it waits for another one"],
        QueueKind.carrying
    )
    func isReleased(_ end: String, _ queueKind: QueueKind) async {
        // At the same time: a stand-in notices only after a while that an operation it waits for was cancelled.
        await withTaskGroup(of: Void.self) { group in
            for kind in OperationKind.allCases { group.addTask { await releases(kind, end, queueKind) } }
        }
    }

    private func releases(_ kind: OperationKind, _ end: String, _ queueKind: QueueKind) async {
        weak var weakLoad: Load?
        weak var weakOperation: Operation?
        let queue = queueKind.make()
        queue.queue.isSuspended = true
        let never = Operation()
        do {
            let load = Load()
            weakLoad = load
            let operation = kind.make { withExtendedLifetime(load) {} }
            weakOperation = operation
            if end.contains("waits") { operation.addDependency(never) }
            withIdentity(ada) { queue.add(operation) }
            if end != "run" { operation.cancel() }
        }
        queue.queue.isSuspended = false
        await queue.finished()
        // A worker releases its reference after it has reported the end of the operation: wait for it on that worker.
        await eventually { weakLoad == nil && weakOperation == nil }
    }

    @Test("are released once it has run, though it is retained", arguments: OperationKind.allCases, QueueKind.carrying)
    func kept(_ kind: OperationKind, _ queueKind: QueueKind) async throws {
        weak var weakSpelling: IdentitySpelling?
        let queue = queueKind.make()
        let operation = kind.make {}
        do {
            let identity = try Identity("kept-\(kind)@contoso.com")
            weakSpelling = identity.spelling
            await withCheckedContinuation { continuation in
                operation.completionBlock = { continuation.resume() }
                withIdentity(identity) { queue.add(operation) }
            }
        }
        await eventually { weakSpelling == nil }
        #expect(operation.isFinished)
    }
}
