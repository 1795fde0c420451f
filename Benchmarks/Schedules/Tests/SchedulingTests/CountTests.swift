import Dispatch
import MultiIdentityScheduling
import Programs
import Testing

@Suite("All schedules of a program", .serialized)
struct CountTests {
    @Test("are as many as a model has", arguments: [(1, 1, 6), (2, 1, 240), (1, 3, 184), (2, 2, 22_900)])
    func count(_ submitters: Int, _ handOvers: Int, _ expected: Int) async throws {
        let model = Model(handOvers: handOvers, workers: 2).schedules(of: Model.State(body: submitters))
        #expect(model == expected, "the model")
        let report = try await exploreSchedules(ScheduleSettings(.exhaustive, schedules: 100_000, workers: 2)) {
            handOver(submitters: submitters, each: handOvers)
        }
        #expect(report.isComplete)
        #expect(report.schedules == model)
    }
}

/// Counts schedules without running any.
///
/// A body hands over submitters, and each of them hands over empty work items, on one concurrent queue. After each hand-over another
/// one can run.
private struct Model {
    struct State {
        /// The body's remaining hand-overs; `nil` once it has ended.
        var body: Int?
        var submitters = 0, workItems = 0
        /// The remaining hand-overs of each submitter that has begun.
        var begun: [Int] = []
    }

    let handOvers: Int
    let workers: Int

    func schedules(of state: State) -> Int {
        var next: [State] = []
        func go(_ change: (inout State) -> Void) {
            var state = state
            change(&state)
            next.append(state)
        }
        if let left = state.body {
            go { left == 0 ? $0.body = nil : ($0.body = left - 1, $0.submitters += 1).1 }
        }
        for (index, left) in state.begun.enumerated() {
            go {
                $0.begun[index] -= 1
                if left == 0 { $0.begun.remove(at: index) } else { $0.workItems += 1 }
            }
        }
        if state.begun.count + (state.body == nil ? 0 : 1) < workers {
            for _ in 0..<state.submitters {
                go {
                    $0.submitters -= 1
                    $0.workItems += 1
                    $0.begun.append(handOvers - 1)
                }
            }
            for _ in 0..<state.workItems { go { $0.workItems -= 1 } }
        }
        return next.isEmpty ? 1 : next.reduce(0) { $0 + schedules(of: $1) }
    }
}
