@_spi(Checks) import MultiIdentityTesting

/// One planned hand-over of a request.
struct Step: Hashable, Sendable {
    /// The boundary's place in ``BoundaryCatalogue/all``.
    let boundary: UInt8
    /// Free choices for the boundary and its work, one bit each.
    let choices: UInt8

    /// True if the work briefly binds another identity.
    var bindsAnother: Bool { choices & 0b0001 != 0 && choices & 0b0010 != 0 }
    /// True if the work makes an inner `sync`.
    var nestsSync: Bool { choices & 0b0100 != 0 && choices & 0b1000 != 0 }
    /// The boundary's own choices, from 0 to 15.
    var variant: UInt8 { choices >> 4 }
}

extension Step {
    /// Returns the steps of a request that crosses `depth` package boundaries; equal seeds give equal steps.
    ///
    /// Steps that the language propagates over come in between.
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
