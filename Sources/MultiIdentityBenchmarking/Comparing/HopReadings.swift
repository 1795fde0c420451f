/// The readings of the gauges at three moments of a block.
///
/// It is made before the block and written in place, so that a gauge of allocations sees none of it.
struct HopReadings {
    enum Moment: Int, CaseIterable {
        case start, enqueued, drained
    }

    private let gauges: [HopGauge]
    private var values: [Int64]
    private(set) var isComplete = false

    init(_ gauges: [HopGauge]) {
        self.gauges = gauges
        values = Array(repeating: 0, count: gauges.count * Moment.allCases.count)
    }

    mutating func read(_ moment: Moment) {
        for index in gauges.indices { values[moment.rawValue * gauges.count + index] = gauges[index].read() }
        isComplete = moment == .drained
    }

    mutating func reset() { isComplete = false }

    /// Returns the increase of a gauge in a phase; negative if it decreased.
    func difference(of gauge: Int, in phase: HopPhase) -> Int64 {
        switch phase {
        case .enqueue: value(gauge, .enqueued) &- value(gauge, .start)
        case .drain: value(gauge, .drained) &- value(gauge, .enqueued)
        case .whole: value(gauge, .drained) &- value(gauge, .start)
        }
    }

    private func value(_ gauge: Int, _ moment: Moment) -> Int64 { values[moment.rawValue * gauges.count + gauge] }
}
