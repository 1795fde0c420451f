# The measuring core: what it says has to be so, and where it cannot tell it has to say that.

mutant(
    "verdict-in-spite-of-noise",
    "An effect gets a verdict though the noise is larger.",
    "VerdictTests|ComparisonTests", "Sources/MultiIdentityBenchmarking/Statistics/Verdict.swift",
    "effect.width > abs(effect.estimate) || effect.lower",
    "effect.lower",
)
mutant(
    "rounds-in-one-order",
    "The variants of each round run in the order in which they were given.",
    "RunningTests", "Sources/MultiIdentityBenchmarking/Comparing/HopComparison+Rounds.swift",
    "generator.shuffle(&order)",
    "_ = generator.next()",
)
mutant(
    "blocks-of-different-rounds-compared",
    "A block is compared with the baseline's of another round.",
    "ComparisonTests", "Sources/MultiIdentityBenchmarking/Reporting/HopComparison+Report.swift",
    "zip(blocks, base).map { $0 / $1 })",
    "zip(blocks, base.reversed()).map { $0 / $1 })",
)
mutant(
    "no-floor",
    "The harness's own cost is said to be nothing.",
    "RunningTests", "Sources/MultiIdentityBenchmarking/Reporting/HopComparison+Report.swift",
    "floor.series(of: index, in: phase) ?? [0]",
    "[0]",
)
mutant(
    "draining-counted-as-handing-over",
    "The time of running goes to handing over.",
    "RunningTests", "Sources/MultiIdentityBenchmarking/Comparing/HopReadings.swift",
    "case .enqueue: value(gauge, .enqueued)",
    "case .enqueue: value(gauge, .drained)",
)
mutant(
    "warm-ups-counted",
    "The rounds that warm up are figures, too.",
    "RunningTests", "Sources/MultiIdentityBenchmarking/Comparing/HopComparison+Rounds.swift",
    "if round >= options.warmUps { samples",
    "if round >= 0 { samples",
)
