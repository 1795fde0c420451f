/// The readings of one variant in each round, for one hop.
struct HopSamples {
    let phases: [HopPhase]
    /// For each gauge, and in it for each phase.
    private var values: [[[Double]]]

    init(of phases: [HopPhase], gauges: Int, rounds: Int) {
        self.phases = phases
        var empty: [Double] = []
        empty.reserveCapacity(rounds)
        values = Array(repeating: Array(repeating: empty, count: phases.count), count: gauges)
    }

    mutating func append(_ readings: HopReadings, hops: Int) {
        for gauge in values.indices {
            for (index, phase) in phases.enumerated() {
                values[gauge][index].append(Double(readings.difference(of: gauge, in: phase)) / Double(hops))
            }
        }
    }

    /// A figure for each round; `nil` for a phase that the variant lacks.
    func series(of gauge: Int, in phase: HopPhase) -> [Double]? {
        phases.firstIndex(of: phase).map { values[gauge][$0] }
    }
}
