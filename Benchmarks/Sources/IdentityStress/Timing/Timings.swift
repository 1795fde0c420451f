import MultiIdentity

/// The cost of a hop, carried and raw: short blocks of both in turn, all through the run, while no request is in flight.
struct Timings {
    private var nanoseconds: [(carried: [Double], raw: [Double])]
    private let places: [Int]
    private let hopsPerBlock: Int
    private let lane = Lane("timing")
    private(set) var roundCount = 0

    init(_ options: StressOptions) {
        places = options.isTimed ? options.mix.carried.map { Int($0) } : []
        hopsPerBlock = options.hopsPerBlock
        nanoseconds = BoundaryCatalogue.carried.map { _ in ([], []) }
    }

    /// Times one block of each kind at each boundary of the mix, as somebody and under the process's levels.
    mutating func addRound() {
        roundCount += 1
        for place in places {
            // Whichever comes second finds warmer caches, so they take turns.
            if roundCount.isMultiple(of: 2) {
                nanoseconds[place].raw.append(time(place, .raw))
                nanoseconds[place].carried.append(time(place, .carried))
            } else {
                nanoseconds[place].carried.append(time(place, .carried))
                nanoseconds[place].raw.append(time(place, .raw))
            }
        }
    }

    private func time(_ place: Int, _ way: Way) -> Double {
        let block = HopBlock(hops: hopsPerBlock, lane: lane)
        let boundary = BoundaryCatalogue.carried[place]
        let timed = try? Identity("timed@stress.example")
        let duration = withIdentity(timed) { ContinuousClock().measure { boundary.run(block, way) } }
        return duration / .nanoseconds(hopsPerBlock)
    }

    /// The median of all blocks, in nanoseconds; `nil` for a boundary that was not timed.
    func median(of place: Int, _ way: Way) -> Double? {
        let all = (way == .carried ? nanoseconds[place].carried : nanoseconds[place].raw).sorted()
        guard !all.isEmpty else { return nil }
        return (all[(all.count - 1) / 2] + all[all.count / 2]) / 2
    }
}
