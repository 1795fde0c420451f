import Dispatch
import MultiIdentity
import MultiIdentityScheduling
import Programs
import Testing

@Suite("A fair queue of three identities", .serialized)
struct FairTurnTests {
    @Test("serves them in turn, in each of the 1,680 orders in which three pieces of each can come")
    func inTurn() async throws {
        let report = try await everyOrder(of: [3, 3, 3], isSuspended: true) { events in
            let first = events.indices.filter { events[$0].hasCome && !events[..<$0].contains(events[$0]) }
            let turn = first.map { FairRun.Event(user: events[$0].user, hasCome: false) }
            return events.suffix(9) == turn + turn + turn ? [] : ["the order is \(events)"]
        }
        #expect(report.failure == nil)
        #expect(report.isComplete)
        #expect(report.schedules == 1_680)
    }

    @Test(
        "delays a piece by at most one of each other, and as many for each of its own before it, in every order",
        arguments: [([3, 1, 1], 840), ([2, 2, 1], 1_260)]
    )
    func meanwhile(_ pieces: [Int], _ orders: Int) async throws {
        let report = try await everyOrder(of: pieces, isSuspended: false) { events in
            // For each piece that waits, the number of others' pieces that may still begin before it.
            var lines = pieces.map { _ in [Int]() }
            for event in events {
                if event.hasCome {
                    lines[event.user].append(2 * (lines[event.user].count + 1))
                    continue
                }
                if lines[event.user].removeFirst() < 0 { return ["a piece waits too long: \(events)"] }
                for other in lines.indices where other != event.user { lines[other] = lines[other].map { $0 - 1 } }
            }
            return lines.allSatisfy(\.isEmpty) ? [] : ["a piece is lost: \(events)"]
        }
        #expect(report.failure == nil)
        #expect(report.isComplete)
        // The orders in which they can come, times those in which a queue can then begin them.
        #expect(report.schedules == orders)
    }

    private func everyOrder(
        of pieces: [Int],
        isSuspended: Bool,
        _ check: @escaping @Sendable ([FairRun.Event]) -> [String]
    ) async throws -> ScheduleReport {
        let runs = Log<FairRun>()
        let settings = ScheduleSettings(.everyOrder, schedules: 100_000)
        let report = try await exploreSchedules(
            settings,
            failures: { runs.all.last.map { check($0.events.all) } ?? [] }
        ) {
            let run = FairRun()
            runs.add(run)
            try run.begin(pieces, isSuspended: isSuspended)
        }
        print("\(pieces) pieces of three identities: \(report)")
        return report
    }
}

/// What happens to the pieces of three identities on a fair queue.
private final class FairRun: Sendable {
    struct Event: Equatable, CustomStringConvertible {
        let user: Int
        /// False if it begins.
        let hasCome: Bool
        var description: String { "\(user) \(hasCome ? "comes" : "begins")" }
    }

    let events = Log<Event>()
    /// Setting it is a step that commutes with no other.
    private let step = RaceChecked(0)

    /// Hands over each identity's pieces from its own thread; if the queue is suspended, none begins before all have come.
    func begin(_ pieces: [Int], isSuspended: Bool) throws {
        let queue = IdentityQueue(label: "fair", draining: .fairly(by: .pieces))
        let (users, all) = ([try Identity("ada@example.com"), .nobody, nil], pieces.reduce(0, +))
        if isSuspended { queue.suspend() }
        for (number, user) in users.enumerated() {
            withIdentity(user) {
                IdentityQueue.global().async { [self] in
                    for _ in 0..<pieces[number] {
                        step.value = 1
                        events.add(Event(user: number, hasCome: true))
                        queue.async { [self] in
                            if !isSuspended { step.value = 2 }
                            guard let ran = users.firstIndex(of: Identity.current) else { return }
                            events.add(Event(user: ran, hasCome: false))
                        }
                        if isSuspended, events.all.count == all { queue.resume() }
                    }
                }
            }
        }
    }
}
