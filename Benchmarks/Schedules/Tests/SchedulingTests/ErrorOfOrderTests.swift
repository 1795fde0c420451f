import Dispatch
import Foundation
import MultiIdentityScheduling
import Programs
import Testing

@Suite("An error of order", .serialized)
struct ErrorOfOrderTests {
    private static let strategies: [(name: String, strategy: ScheduleSettings.Strategy)] = [
        ("exhaustive", .exhaustive), ("everyOrder", .everyOrder), ("random", .random(seed: 1)),
        ("priorities", .priorities(seed: 1, changes: 3)), ("delays", .delays(seed: 1, atMost: 3)),
    ]

    @Test("is found", arguments: ErrorOfOrder.all)
    func found(_ error: ErrorOfOrder) async throws {
        for (name, strategy) in Self.strategies where error.strategies?.contains(name) ?? true {
            let report = try await exploreSchedules(ScheduleSettings(strategy, schedules: error.within), error.run)
            #expect(report.failure != nil, "\(name): \(report)")
        }
    }

    @Test("of locks is reported with who holds which")
    func holders() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 500)) {
            let (one, other, group) = (NSLock(), NSLock(), DispatchGroup())
            DispatchQueue.global().async(group: group) { one.withLock { other.withLock {} } }
            DispatchQueue.global().async(group: group) { other.withLock { one.withLock {} } }
            await group.end()
        }
        let findings = try #require(report.failure).findings
        #expect(findings.contains { $0.contains("work item 1 ") && $0.contains(", which work item 2 on ") })
        #expect(findings.contains { $0.contains("work item 2 ") && $0.contains(", which work item 1 on ") })
    }

    @Test("is not found if no time passes before work that could run")
    func workTime() async throws {
        var settings = ScheduleSettings(.exhaustive, schedules: 500)
        settings.workTime = .zero
        let report = try await exploreSchedules(settings) {
            let semaphore = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { semaphore.signal() }
            if semaphore.wait(timeout: .now() + .milliseconds(1)) == .timedOut { throw Wrong("timed out") }
        }
        #expect(report.failure == nil)
        #expect(report.isComplete)
        #expect("\(report)".hasSuffix("(every order of hand-overs and intercepted locks)"))
    }

    @Test("that ends the program prints the steps before it")
    func crash() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 500)) {
                let (lock, isDone) = (NSLock(), Box(false))
                await withCheckedContinuation { next in
                    for _ in 0..<2 {
                        DispatchQueue.global().async {
                            if lock.withLock({ isDone.value }) { return }
                            lock.withLock { isDone.value = true }
                            next.resume()
                        }
                    }
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for part in ["ends the program: ", "begins work item 1", "Replay: MULTI_IDENTITY_SCHEDULE='"] {
            #expect(text.contains(part), "\(text)")
        }
    }
}
