package import MultiIdentity

extension ScheduleExplorer {
    /// An exploration.
    ///
    /// - Parameters:
    ///   - seed: What the schedule is made from: the same seed and setting give the same schedule on every machine.
    ///   - steps: How many steps the schedule has, without those that bring it to its end.
    ///   - workers: How many threads take part from the start, besides two queues and the tasks that steps start.
    ///   - identities: Who is bound, apart from nobody and unset; at least one.
    ///   - boundaries: Further boundaries that take part. Work that was handed over one runs until the schedule ends it,
    ///     so a boundary has one piece of work running at a time.
    ///   - patience: How long a step, or a release, is waited for before it is reported as stuck; no other time counts.
    package init(
        seed: UInt64,
        steps: Int = 60,
        workers: Int = 3,
        identities: [Identity] = ScheduleExplorer.defaultIdentities,
        boundaries: [ExploredBoundary] = [],
        patience: Duration = .seconds(120)
    ) {
        self.init(
            seed: seed,
            steps: steps,
            setup: ExplorationSetup(
                threads: workers,
                identities: identities,
                boundaries: boundaries,
                patience: patience
            )
        )
    }

    /// The identities that are bound unless others are given: three made-up people.
    package static let defaultIdentities: [Identity] = ["ada", "grace", "edsger"].compactMap { name in
        try? Identity("\(name)@explorer.example")
    }
}
