import ScheduleExploring

extension Explore {
    /// The end of an exploration.
    struct Outcome: Sendable {
        /// The exit status: 0, 1 for a broken rule, or 65 (`EX_DATAERR` of `sysexits`) where `error` is set.
        var status: Int32
        /// The fault in what was asked for.
        var error: String?
    }

    /// Runs the schedules, one after another, to the first that breaks a rule.
    ///
    /// - Parameters:
    ///   - text: A schedule to run instead of random ones.
    ///   - first: The first seed.
    ///   - say: Prints a line.
    /// - Returns: How it ended.
    func outcome(
        replaying text: String?,
        from first: UInt64,
        say: @escaping @Sendable (String) -> Void
    ) async -> Outcome {
        do {
            if let text {
                let exploration = try await explorer(first).replay(Schedule(parsing: text))
                say(exploration.trace)
                say("\(exploration.stepsTaken) steps, with those to the end: all as the rules say.")
            } else {
                try await explore(from: first, say: say)
            }
            return Outcome(status: 0)
        } catch let failure as ExplorationFailure {
            say("\(failure)")
            return Outcome(status: 1)
        } catch {
            return Outcome(status: 65, error: "\(error)")
        }
    }

    private func explore(from first: UInt64, say: (String) -> Void) async throws {
        var taken = 0
        say("Seeds from \(first) on: \(seeds) schedules of \(steps) steps.")
        for offset in 0..<UInt64(seeds) {
            let exploration = try await explorer(first &+ offset).run()
            taken += exploration.stepsTaken
            if trace { say("Seed \(first &+ offset)\n\(exploration.trace)") }
        }
        say("\(taken) steps, with those to the end of each schedule: all as the rules say.")
    }

    private func explorer(_ seed: UInt64) -> ScheduleExplorer {
        ScheduleExplorer(
            seed: seed,
            steps: steps,
            workers: workers,
            boundaries: ScheduledBoundaries.all(sabotaging: sabotage)
        )
    }
}
