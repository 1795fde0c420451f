import Synchronization

@_spi(Checks) @testable import MultiIdentityBenchmarking

/// A hop with a synthetic cost: a mean, and the deviation of each block from it.
final class MadeUpHop: Sendable {
    private struct State {
        var generator: SeededGenerator
        var blocks = 0
        var price: Int64 = 0
    }

    private let clock: ManualClock
    private let mean: Double
    private let noise: Double
    private let drift: Double
    private let state: Mutex<State>

    /// - Parameters:
    ///   - clock: The clock from which it takes its cost.
    ///   - mean: The time of a hop, in nanoseconds.
    ///   - noise: The maximum deviation of a block: 0.1 is a tenth in either direction.
    ///   - drift: The increase in cost from block to block, as on a machine that slows down.
    ///   - seed: The seed of the noise.
    init(_ clock: ManualClock, mean: Double, noise: Double, drift: Double = 0, seed: UInt64) {
        self.clock = clock
        self.mean = mean
        self.noise = noise
        self.drift = drift
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    /// Each end pays half of a hop's cost.
    func variant(_ name: String) -> HopVariant {
        .held(name, hold: begin, enqueue: pay, drain: { self.payAll() })
    }

    private func begin() {
        state.withLock { state in
            let stray = noise * (Double(state.generator.below(2_001)) / 1_000 - 1)
            state.price = Int64(mean * (1 + stray) * (1 + drift * Double(state.blocks)))
            state.blocks += 1
        }
    }

    private func pay() { clock.advance(by: state.withLock { $0.price }) }
    private func payAll() { clock.advance(by: state.withLock { $0.price } * 10) }
}

extension HopComparison {
    /// Short, and equal in each run.
    static func madeUp(
        _ name: String,
        of variants: [HopVariant],
        against baseline: String,
        seed: UInt64 = 1,
        rounds: Int = 40
    ) throws -> HopComparison {
        var comparison = try HopComparison(
            name,
            of: variants,
            against: baseline,
            rounds: rounds,
            hopsPerBlock: 10,
            seed: seed
        )
        comparison.warmUps = 0
        comparison.resamples = 100
        return comparison
    }
}
