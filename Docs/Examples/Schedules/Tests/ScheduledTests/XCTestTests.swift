import Foundation
import MultiIdentityScheduling
import Programs
import XCTest

extension XCTestCase {
    /// Runs a body under many schedules; the first one that fails is one failure of the test, at the caller's line.
    fileprivate func explore(
        _ settings: ScheduleSettings,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let report = try await exploreSchedules(settings.replaying(), body)
        if let failure = report.failure { XCTFail("\(failure)", file: file, line: line) }
    }
}

final class XCTestTests: XCTestCase {
    /// The failures that a test wants; `nil` where each is one.
    private var wanted: [(text: String, line: Int)]?

    override func recordFailure(withDescription text: String, inFile file: String, atLine line: Int, expected: Bool) {
        if wanted == nil {
            super.recordFailure(withDescription: text, inFile: file, atLine: line, expected: expected)
        } else {
            wanted?.append((text, line))
        }
    }

    func testPassesUnderEverySchedule() async throws {
        try await explore(ScheduleSettings(.exhaustive, schedules: 1_000)) {
            let log = Log<Int>()
            let queue = DispatchQueue(label: "serial")
            for number in 1...2 { queue.async { log.add(number) } }
            queue.sync { log.add(3) }
            if log.all != [1, 2, 3] { throw Wrong("\(log.all)") }
        }
    }

    func testReportsAFailingScheduleOnceAtTheCallersLine() async throws {
        wanted = []
        try await explore(ScheduleSettings(.priorities(seed: 7), schedules: 1_000), isInOrderOnAConcurrentQueue)
        let line = #line - 1
        let failures = try XCTUnwrap(wanted)
        wanted = nil
        XCTAssertEqual(failures.map(\.line), [line])
        for part in ["priorities, seed 7", "[2, 1]", "begins piece", "Replay: MULTI_IDENTITY_SCHEDULE='"] {
            XCTAssert(failures.first?.text.contains(part) ?? false, part)
        }
    }

    func testReplaysTheScheduleOfTheEnvironment() async throws {
        let settings = ScheduleSettings(.priorities(seed: 7), schedules: 1_000)
        let report = try await exploreSchedules(settings, isInOrderOnAConcurrentQueue)
        let schedule = try XCTUnwrap(report.failure).schedule
        setenv("MULTI_IDENTITY_SCHEDULE", "\(schedule)", 1)
        defer { unsetenv("MULTI_IDENTITY_SCHEDULE") }
        let again = try await exploreSchedules(settings.replaying(), isInOrderOnAConcurrentQueue)
        XCTAssertEqual(again.failure?.findings, report.failure?.findings)
        XCTAssertEqual(again.schedules, 1)
        setenv("MULTI_IDENTITY_SCHEDULE", "first", 1)
        XCTAssertThrowsError(try settings.replaying())
    }
}

/// Wants an order that nobody promises.
@Sendable private func isInOrderOnAConcurrentQueue() async throws {
    let log = Log<Int>()
    let queue = DispatchQueue(label: "queue", attributes: .concurrent)
    for number in 1...2 { queue.async { log.add(number) } }
    await withCheckedContinuation { continuation in
        queue.async(flags: .barrier) { continuation.resume() }
    }
    if log.all != [1, 2] { throw Wrong("\(log.all)") }
}
