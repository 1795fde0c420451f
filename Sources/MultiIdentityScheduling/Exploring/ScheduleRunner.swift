#if os(Linux)
import CMultiIdentityScheduling
import Synchronization

/// Runs schedules of a body in sequence, on threads that all of them share.
struct ScheduleRunner {
    /// The result of one schedule.
    struct Outcome: Sendable {
        var findings: [String]
        let steps: [ScheduleStep]
        let hash: UInt64
        let workItems: Int
        let timeline: ScheduleTimeline
        /// Where its steps differ from those of the schedule that it repeats.
        var difference: String?
        /// True if some of its threads wait for ever.
        var leavesThreads = false
    }

    /// Schedules of one process run one at a time; workers wait for their next work item, and `count` includes all ever made.
    private static let token = ScheduleToken()
    /// `nonisolated(unsafe)`: accessed by the work item that holds the token, and by no other.
    nonisolated(unsafe) private static var workers: (idle: [ScheduledWorker], count: Int) = ([], 0)

    let settings: ScheduleSettings
    let body: @Sendable () async throws -> Void
    /// Returns what went wrong since the last call, in addition to what the body throws.
    let failures: @Sendable () -> [String]

    func explore() async -> ScheduleReport {
        await Self.token.take()
        defer { Self.token.give() }
        let watch = ScheduleWatch(patience: settings.patience)
        defer { watch.end() }
        return await withTaskExecutorPreference(ScheduleExecutor.shared) {
            // One-time initializations of a process make its first schedules differ from all others: then all start again.
            var restarts = settings.allowsDivergence ? 0 : 5
            while true {
                if let report = await exploreInTurn(restarts: restarts > 0) { return report }
                restarts -= 1
            }
        }
    }

    /// Returns `nil` if the same choices led to other steps and `restarts` is set.
    private func exploreInTurn(restarts: Bool) async -> ScheduleReport? {
        var strategy = settings.strategy.implementation
        var (count, redundant, hash, workItems, steps) = (0, 0, ScheduleHash(), 0, 0)
        var failure: ScheduleReport.Failure?
        var (hasNext, hasDiverged) = (true, false)
        var expected = settings.strategy.expected
        while hasNext, failure == nil, count < settings.schedules {
            var outcome = await run(&strategy, number: count, expecting: expected)
            if settings.strategy.draws, Self.isRepeated(count), outcome.findings.isEmpty {
                let hash = outcome.hash
                outcome = await repeated(outcome.steps, number: count)
                if outcome.difference == nil, outcome.hash != hash {
                    outcome.difference = "after the last of \(outcome.steps.count)"
                }
            }
            if let difference = outcome.difference {
                if restarts { return nil }
                hasDiverged = true
                if !settings.allowsDivergence { outcome.findings.insert(Self.diverged(difference), at: 0) }
            }
            hash.add(Int(truncatingIfNeeded: outcome.hash))
            (workItems, steps) = (max(workItems, outcome.workItems), max(steps, outcome.steps.count))
            count += 1
            if strategy.isRedundant { redundant += 1 }
            if outcome.findings.isEmpty {
                hasNext = strategy.next(after: outcome.steps)
                expected = outcome.steps.prefix(strategy.repeated).map(\.check)
            } else {
                failure = await shrunk(outcome, number: count - 1)
            }
        }
        Schedule.current = nil
        return ScheduleReport(
            schedules: count - redundant,
            redundant: redundant,
            isComplete: !hasNext && settings.strategy.coversAll && !hasDiverged,
            failure: failure,
            hash: hash.value,
            workItems: workItems,
            steps: steps,
            bound: hasDiverged ? nil : strategy.bound,
            isCutShort: hasNext && failure == nil && settings.strategy.coversAll
        )
    }

    /// Of drawn schedules the second, the tenth and each further power of ten run twice, since no other one repeats their steps.
    private static func isRepeated(_ number: Int) -> Bool {
        number == 1 || [9, 99, 999, 9_999, 99_999].contains(number)
    }

    private func repeated(_ steps: [ScheduleStep], number: Int) async -> Outcome {
        var strategy: any SchedulingStrategy = ReplayStrategy(steps.map(\.chosen))
        return await run(&strategy, number: number, expecting: steps.map(\.check))
    }

    private static func diverged(_ difference: String) -> String {
        """
        the same choices came to other steps (\(difference)). The body depends on something that no schedule controls, such as \
        the addresses by which a Set of ObjectIdentifier is ordered, or on what an earlier run left behind
        """
    }

    /// Runs one schedule, chosen by `strategy`.
    private func run(
        _ strategy: inout any SchedulingStrategy,
        number: Int,
        expecting expected: [UInt8] = []
    ) async -> Outcome {
        let workers = Self.workers
        let schedule = Schedule(
            settings,
            strategy: strategy,
            expecting: expected,
            idle: workers.idle,
            workerCount: workers.count
        )
        schedule.number = number
        schedule.reportCrash = { [unowned schedule] in schedule.printCrash(by: $0) }
        Schedule.current = schedule
        let task = start(schedule)
        await withCheckedContinuation { continuation in
            schedule.whenOver = { continuation.resume() }
            ScheduleWatch.isUnderWay.store(true, ordering: .relaxed)
            schedule.passToken(from: nil)
        }
        ScheduleWatch.isUnderWay.store(false, ordering: .relaxed)
        // Nothing was enqueued if the schedule had ended before this task waited for that.
        ScheduleExecutor.worker = nil
        Self.workers = (schedule.idle, schedule.workerCount)
        strategy = schedule.strategy
        // A `Task` is the address of the runtime's object, which retains itself until it has ended.
        if !schedule.hasBodyEnded { mi_scheduled_leave(unsafeBitCast(task, to: UnsafeRawPointer.self)) }
        // Repeating timers refer to the schedule.
        schedule.timers = []
        return Outcome(
            findings: schedule.findings + failures(),
            steps: schedule.steps,
            hash: schedule.hash.value,
            workItems: schedule.workItemCount,
            timeline: schedule.timeline,
            difference: schedule.difference,
            leavesThreads: !schedule.busy.isEmpty
        )
    }

    /// Hands the body over as the schedule's first work item: a task that inherits what is bound here.
    private func start(_ schedule: Schedule) -> Task<Void, Never> {
        mi_scheduled_set_here(.max)
        defer { mi_scheduled_set_here(0) }
        return Task {
            do { try await body() } catch { schedule.find("the body threw \(error)") }
            schedule.hasBodyEnded = true
        }
    }

    /// Searches for fewer choices that also fail, and runs them once more to record the steps.
    private func shrunk(_ outcome: Outcome, number: Int) async -> ScheduleReport.Failure {
        var steps = outcome.steps
        var runs = 0
        func fails(_ choices: [Int]) async -> Bool {
            guard runs < settings.shrinking else { return false }
            // The number of threads of a process is limited.
            runs += outcome.leavesThreads ? 10 : 1
            var strategy: any SchedulingStrategy = ReplayStrategy(choices)
            let again = await run(&strategy, number: number)
            if again.findings.isEmpty { return false }
            steps = again.steps
            steps.removeLast(max(0, steps.count - choices.count))
            return true
        }
        // A failure that differs from run to run cannot be shrunk, and a replayed one is already shrunk.
        if outcome.difference == nil, settings.strategy.draws || settings.strategy.coversAll {
            var length = steps.count / 2
            while length > 0, runs < settings.shrinking {
                if await !fails(steps.dropLast(length).map(\.chosen)) { length /= 2 }
                length = min(length, steps.count)
            }
            for index in steps.indices.reversed() where index < steps.count && steps[index].chosen != 0 {
                var plainer = steps.map(\.chosen)
                plainer[index] = 0
                _ = await fails(plainer)
            }
        }
        while steps.last?.chosen == 0 { steps.removeLast() }
        var last = await repeated(steps, number: number)
        if last.findings.isEmpty {
            steps = outcome.steps
            last = await repeated(steps, number: number)
        }
        var findings = last.findings
        if outcome.difference != nil {
            findings = outcome.findings
        } else if findings.isEmpty {
            let how = last.difference.map { "they came to other steps (\($0))" } ?? "by the same steps"
            findings = outcome.findings + ["the same choices did not fail again: \(how)"]
        }
        return ScheduleReport.Failure(
            findings: findings,
            schedule: RecordedSchedule(steps.map(\.chosen), checks: steps.map(\.check)),
            timeline: last.timeline,
            number: number,
            strategy: "\(settings.strategy)"
        )
    }
}

/// Lets one task run at a time, in order of arrival.
private final class ScheduleToken: Sendable {
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
    var implementation: any SchedulingStrategy {
        switch kind {
        case .random(let seed): RandomStrategy(seed: seed)
        case .priorities(let seed, let changes): PriorityStrategy(seed: seed, changes: changes)
        case .delays(let seed, let delays): DelayStrategy(seed: seed, delays: delays)
        case .exhaustive: ExhaustiveStrategy()
        case .everyOrder: EveryOrderStrategy()
        case .replay(let schedule): ReplayStrategy(schedule.choices)
        }
    }

    /// The checks of its first choices, if it has them from another process.
    var expected: [UInt8] { if case .replay(let schedule) = kind { schedule.checks } else { [] } }

    /// True if no schedule repeats the steps of another one on purpose.
    var draws: Bool {
        switch kind {
        case .random, .priorities, .delays: true
        default: false
        }
    }

    /// True if no next schedule means that all of them have run.
    var coversAll: Bool {
        switch kind {
        case .exhaustive, .everyOrder: true
        default: false
        }
    }
}
#endif
