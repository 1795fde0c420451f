import Dispatch
import Foundation
import Programs
import Synchronization
import Testing

@testable import MultiIdentityScheduling

@Suite("The same choices", .serialized)
struct DeterminismTests {
    private static let strategies: [ScheduleSettings.Strategy] = [
        .exhaustive, .everyOrder, .random(seed: 1), .priorities(seed: 1), .delays(seed: 1, atMost: 2),
    ]

    /// Programs whose order or number of hand-overs is random.
    enum Chance: String, CaseIterable, Codable, Sendable {
        case hashes, randomNumbers, addresses, earlierRuns

        var isControlled: Bool { self == .hashes || self == .randomNumbers }

        private static let runs = Atomic(0)

        @Sendable func run() async {
            let queue = DispatchQueue(label: "queue")
            let counts =
                switch self {
                case .hashes: Set(["one", "three", "seventh", "elevenths"]).map(\.count)
                case .randomNumbers: (1...4).shuffled()
                case .addresses: Set((1...8).map(Count.init)).map(\.number)
                case .earlierRuns: [2, 2 + Self.runs.wrappingAdd(1, ordering: .relaxed).newValue % 5]
                }
            for count in counts { DispatchQueue.global().async { for _ in 0..<count { queue.async {} } } }
        }
    }

    @Test("come to the same steps, or the report says where they do not", arguments: Chance.allCases, strategies)
    func diverges(_ chance: Chance, _ strategy: ScheduleSettings.Strategy) async throws {
        var settings = ScheduleSettings(strategy, schedules: 50)
        let report = try await exploreSchedules(settings, chance.run)
        guard !chance.isControlled else {
            #expect(report.failure == nil)
            #expect(try await exploreSchedules(settings, chance.run).hash == report.hash)
            return
        }
        let finding = try #require(report.failure?.findings.first)
        #expect(
            finding.contains(/^the same choices came to other steps \((at choice|after the last of) \d+/),
            "\(finding)"
        )
        settings.allowsDivergence = true
        let allowed = try await exploreSchedules(settings, chance.run)
        #expect(allowed.failure == nil)
        #expect(!allowed.isComplete)
        #expect(allowed.bound == nil)
    }

    @Test("come to the same steps in another process", arguments: [Chance.hashes, .randomNumbers])
    func otherProcess(_ chance: Chance) async throws {
        let here = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 50), chance.run).hash
        await #expect(processExitsWith: .success) { [here = here as UInt64, chance = chance as Chance] in
            let there = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 50), chance.run).hash
            #expect(there == here)
        }
    }

    @Test("may come to other steps once, such as when a process initializes something")
    func once() async throws {
        let made = Mutex(false)
        let report = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 1_000)) {
            let isFirst = made.withLock { made in
                defer { made = true }
                return !made
            }
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            for _ in 0..<(isFirst ? 3 : 2) { queue.async {} }
        }
        #expect(report.failure == nil)
        #expect(report.isComplete)
    }

    @Test("say so where a replay takes other steps than those that were recorded")
    func replay() async throws {
        @Sendable func body(_ label: String) throws {
            let log = Log<Int>()
            let queue = DispatchQueue(label: label, attributes: .concurrent)
            for number in 1...2 { queue.async { log.add(number) } }
            queue.sync(flags: .barrier) {}
            if log.all == [2, 1] { throw Wrong("out of order") }
        }
        let found = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 100)) { try body("queue") }
        let text = "\(try #require(found.failure).schedule)"
        for label in ["queue", "other"] {
            let replay = ScheduleSettings.Strategy.replay(try #require(RecordedSchedule(text)))
            let report = try await exploreSchedules(ScheduleSettings(replay, schedules: 1)) { try body(label) }
            let findings = try #require(report.failure).findings
            #expect(findings.contains { $0.contains("out of order") })
            #expect(findings.contains { $0.contains("at choice 1 of") } == (label == "other"), "\(findings)")
        }
    }

    @Test("are text that is read again", arguments: ["", "0.1.0", "1.0/0aff", "12"])
    func text(_ text: String) { #expect(RecordedSchedule(text)?.description == text) }

    @Test("are no text with something else in it", arguments: ["a", "1.", "1.0/0", "1/0g", "1/00ff", "/00", "70000"])
    func refused(_ text: String) { #expect(RecordedSchedule(text) == nil) }
}

/// An object that sets distinguish by its address.
private final class Count: Hashable, Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (one: Count, other: Count) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
