import Foundation
import MultiIdentity
import MultiIdentityFoundation
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Operations under every schedule", .serialized)
struct OperationTests {
    @Test("plain ones wait for those that they depend on")
    func plain() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 200)) {
            struct Wrong: Error { let order: [String] }
            let log = Log<String>()
            let queue = OperationQueue()
            let first = BlockOperation { log.add("first") }
            let second = BlockOperation { log.add("second") }
            second.addDependency(first)
            queue.addOperation(second)
            queue.addOperation(first)
            await withCheckedContinuation { continuation in
                queue.addBarrierBlock { continuation.resume() }
            }
            if log.all != ["first", "second"] { throw Wrong(order: log.all) }
        }
        #expect(report.failure == nil)
    }

    @Test("plain ones can run before the call that adds them returns, though it hands them over behind a lock")
    func atOnce() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 200)) {
            let (queue, log) = (OperationQueue(), Log<String>())
            queue.addOperation {
                _ = queue.operationCount  // for which it needs that lock
                log.add("ran")
            }
            if log.all == ["ran"] { throw Wrong("ran before the call returned") }
            await withCheckedContinuation { continuation in
                queue.addBarrierBlock { continuation.resume() }
            }
        }
        #expect(report.failure?.findings.contains { $0.contains("ran before") } == true)
    }
}
