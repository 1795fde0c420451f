@_spi(Checks) import MultiIdentityTesting

/// One hand-over in a request, as the plan has it.
struct Step: Hashable, Sendable {
    /// The boundary's place in ``BoundaryCatalogue/all``.
    let boundary: UInt8
    /// Free choices of the boundary and of the work behind it, one bit each.
    let choices: UInt8

    /// True if the work binds another identity for a moment.
    var bindsAnother: Bool { choices & 0b0001 != 0 && choices & 0b0010 != 0 }
    /// True if the work makes a `sync` of its own.
    var nestsSync: Bool { choices & 0b0100 != 0 && choices & 0b1000 != 0 }
    /// The boundary's own choices, 0 to 15.
    var variant: UInt8 { choices >> 4 }
}

extension Step {
    /// The steps of a request that crosses `depth` carried boundaries; equal seeds give equal steps.
    ///
    /// Steps that the language carries come in between.
    static func chain(seed: UInt64, depth: Int, mix: BoundaryMix) -> [Step] {
        var generator = SeededGenerator(seed: seed)
        var steps: [Step] = []
        steps.reserveCapacity(depth + 2)
        for _ in 0..<depth {
            if !mix.language.isEmpty, generator.below(8) == 0 {
                steps.append(Step(boundary: mix.language[generator.below(mix.language.count)], &generator))
            }
            steps.append(Step(boundary: mix.draws[generator.below(mix.draws.count)], &generator))
        }
        return steps
    }

    private init(boundary: UInt8, _ generator: inout SeededGenerator) {
        self.init(boundary: boundary, choices: UInt8(generator.below(256)))
    }
}
