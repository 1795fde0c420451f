#if os(Linux)
import CMultiIdentityScheduling
import Synchronization

/// Runs schedules of a body, one after another, on threads that all of them share.
struct ScheduleRunner {
    /// The result of one schedule.
    struct Outcome: Sendable {
        let findings: [String]
        let steps: [ScheduleStep]
        let hash: UInt64
        let pieces: Int
        let timeline: ScheduleTimeline
    }

    /// Schedules of one process run one at a time: workers that wait for their next piece, and how many there ever were.
    private static let turn = ScheduleTurn()
    /// `nonisolated(unsafe)`: touched by the piece that has the turn, and by no other.
    nonisolated(unsafe) private static var workers: (idle: [ScheduledWorker], count: Int) = ([], 0)

    let settings: ScheduleSettings
    let body: @Sendable () async throws -> Void
    /// Returns what went wrong since it was asked last, beyond what the body throws.
    let failures: @Sendable () -> [String]

    func explore() async -> ScheduleReport {
        await Self.turn.take()
        defer { Self.turn.give() }
        let watch = ScheduleWatch(patience: settings.patience)
        defer { watch.end() }
        return await withTaskExecutorPreference(ScheduleExecutor.shared) { await exploreInTurn() }
    }

    private func exploreInTurn() async -> ScheduleReport {
        var chooser = settings.strategy.chooser
        var (count, redundant, hash, pieces, steps) = (0, 0, ScheduleHash(), 0, 0)
        var failure: ScheduleReport.Failure?
        var hasNext = true
        while hasNext, failure == nil, count < settings.schedules {
            let outcome = await run(&chooser, number: count)
            hash.add(Int(truncatingIfNeeded: outcome.hash))
            (pieces, steps) = (max(pieces, outcome.pieces), max(steps, outcome.steps.count))
            count += 1
            if chooser.isRedundant { redundant += 1 }
            if outcome.findings.isEmpty {
                hasNext = chooser.next(after: outcome.steps)
            } else {
                failure = await shrunk(outcome, number: count - 1)
            }
        }
        return ScheduleReport(
            schedules: count - redundant,
            redundant: redundant,
            isComplete: !hasNext && settings.strategy.coversAll,
            failure: failure,
            hash: hash.value,
            pieces: pieces,
            steps: steps,
            changes: settings.strategy.changes
        )
    }

    /// Runs one schedule, chosen by `chooser`.
    private func run(_ chooser: inout any ScheduleChooser, number: Int) async -> Outcome {
        let workers = Self.workers
        let schedule = Schedule(settings, chooser: chooser, idle: workers.idle, workerCount: workers.count)
        schedule.number = number
        Schedule.current = schedule
        start(schedule)
        await withCheckedContinuation { continuation in
            schedule.whenOver = { continuation.resume() }
            ScheduleWatch.isUnderWay.store(true, ordering: .relaxed)
            schedule.giveTurn(from: nil)
        }
        ScheduleWatch.isUnderWay.store(false, ordering: .relaxed)
        // Nothing was enqueued where the schedule had ended before this task waited for that.
        ScheduleExecutor.worker = nil
        Self.workers = (schedule.idle, schedule.workerCount)
        chooser = schedule.chooser
        return Outcome(
            findings: schedule.findings + failures(),
            steps: schedule.steps,
            hash: schedule.hash.value,
            pieces: schedule.pieceCount,
            timeline: schedule.timeline
        )
    }

    /// Hands the body over as the schedule's first piece: a task that inherits what is bound here.
    private func start(_ schedule: Schedule) {
        mi_scheduled_set_here(.max)
        Task {
            do { try await body() } catch { schedule.find("the body threw \(error)") }
            schedule.hasBodyEnded = true
        }
        mi_scheduled_set_here(0)
    }

    /// Looks for fewer choices that fail too, and runs them once more to see the steps.
    private func shrunk(_ outcome: Outcome, number: Int) async -> ScheduleReport.Failure {
        var choices = outcome.steps.map(\.chosen)
        var runs = 0
        func fails(_ choices: [Int]) async -> Bool {
            runs += 1
            var chooser: any ScheduleChooser = ReplayChooser(choices)
            return await !run(&chooser, number: number).findings.isEmpty
        }
        var length = choices.count / 2
        while length > 0, runs < settings.shrinking {
            let shorter = Array(choices.dropLast(length))
            if await fails(shorter) { choices = shorter } else { length /= 2 }
            length = min(length, choices.count)
        }
        for index in choices.indices.reversed() where choices[index] != 0 && runs < settings.shrinking {
            var plainer = choices
            plainer[index] = 0
            if await fails(plainer) { choices = plainer }
        }
        while choices.last == 0 { choices.removeLast() }
        var chooser: any ScheduleChooser = ReplayChooser(choices)
        var last = await run(&chooser, number: number)
        if last.findings.isEmpty {
            // What fails only now and then depends on something that is not controlled.
            choices = outcome.steps.map(\.chosen)
            chooser = ReplayChooser(choices)
            last = await run(&chooser, number: number)
        }
        let findings =
            last.findings.isEmpty ? outcome.findings + ["the same choices did not fail again"] : last.findings
        return ScheduleReport.Failure(
            findings: findings,
            schedule: RecordedSchedule(choices),
            timeline: last.timeline,
            number: number,
            strategy: "\(settings.strategy)"
        )
    }
}

/// Lets one task go on at a time, in the order in which they come.
private final class ScheduleTurn: Sendable {
    private let state = Mutex((isTaken: false, waiting: [CheckedContinuation<Void, Never>]()))

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    func give() {
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.isTaken = false }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}

extension ScheduleSettings.Strategy {
    var chooser: any ScheduleChooser {
        switch kind {
        case .random(let seed): RandomChooser(seed: seed)
        case .priorities(let seed, let changes): PriorityChooser(seed: seed, changes: changes)
        case .delays(let seed, let delays): DelayChooser(seed: seed, delays: delays)
        case .exhaustive: ExhaustiveChooser()
        case .everyOrder: EveryOrderChooser()
        case .replay(let schedule): ReplayChooser(schedule.choices)
        }
    }

    /// The changes of priority in each schedule, where the strategy has priorities.
    var changes: Int? { if case .priorities(_, let changes) = kind { changes } else { nil } }

    /// True if no schedule is left where there is no further one.
    var coversAll: Bool {
        switch kind {
        case .exhaustive, .everyOrder: true
        default: false
        }
    }
}
#endif
