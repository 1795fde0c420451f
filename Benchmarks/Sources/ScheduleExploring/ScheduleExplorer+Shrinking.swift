extension ScheduleExplorer {
    /// The failure, by the shortest schedule that can be found.
    func shrunk(_ divergence: Divergence, _ run: ScheduleRun) -> ExplorationFailure {
        // Each try would wait for its deadline, and leave its threads behind.
        if divergence.kind == .stuck { return failure(divergence, run, seed: seed) }
        var retrying = setup
        // What is kept has been waited for once; from here on it only has to be distinguished from what goes at once.
        if divergence.kind == .leak { retrying.patience = min(setup.patience, .milliseconds(100)) }
        var shrinker = ScheduleShrinker(run.steps, mostReruns: mostReruns) { [retrying] candidate in
            let run = ScheduleRun(candidate, retrying)
            return run.divergence?.kind == divergence.kind ? run.steps : nil
        }
        shrinker.shrink()
        let last = ScheduleRun(shrinker.steps, retrying)
        let isConfirmed = last.divergence?.kind == divergence.kind && last.steps == shrinker.steps
        return ExplorationFailure(
            isConfirmed ? last.divergence ?? divergence : divergence,
            Schedule(isConfirmed ? last.steps : run.steps),
            seed: seed,
            stepsBefore: run.steps.count,
            reruns: shrinker.reruns,
            isConfirmed: isConfirmed,
            explorer: self
        )
    }

    /// The failure as it was met.
    func failure(_ divergence: Divergence, _ run: ScheduleRun, seed: UInt64?) -> ExplorationFailure {
        ExplorationFailure(
            divergence,
            Schedule(run.steps),
            seed: seed,
            stepsBefore: run.steps.count,
            reruns: 0,
            isConfirmed: true,
            explorer: self
        )
    }
}
