/// The findings of a run.
struct Report: Sendable, Encodable {
    struct Boundary: Sendable, Encodable {
        let name: String
        let hops: Int
        let wrong: Int
        /// Pieces of work that were handed over but did not run; negative if some ran twice.
        let lost: Int
    }

    /// Hops over the package's boundaries, without the language's.
    let hops: Int
    /// Failed checks, at boundaries of both kinds.
    let wrongIdentities: Int
    let lostWork: Int
    let requests: Int
    let seed: UInt64
    let workloadHash: String
    let depth: Int
    let concurrency: Int
    /// The package's boundaries.
    let boundaries: [Boundary]
    /// The language's boundaries.
    let languageBoundaries: [Boundary]
    /// The first few mismatches.
    let mismatches: [Mismatch]
    let elapsedSeconds: Double
    let endedBy: String

    init(
        _ stress: Stress,
        end: RunEnd,
        elapsed: Duration,
        requests: Int,
        workloadHash: UInt64
    ) {
        let mix = stress.options.mix
        let tallies = stress.tallies
        func boundary(_ place: UInt8) -> Boundary {
            let tally = tallies[Int(place)]
            return Boundary(
                name: BoundaryCatalogue.all[Int(place)].name,
                hops: tally.ran,
                wrong: tally.wrong,
                lost: tally.handedOver - tally.ran
            )
        }
        boundaries = mix.carried.map(boundary)
        languageBoundaries = mix.language.map(boundary)
        hops = stress.hops
        wrongIdentities = stress.wrong
        lostWork = tallies.reduce(0) { $0 + abs($1.handedOver - $1.ran) }
        self.requests = requests
        seed = stress.options.seed
        let digits = String(workloadHash, radix: 16)
        self.workloadHash = String(repeating: "0", count: 16 - digits.count) + digits
        depth = stress.options.depth
        concurrency = stress.options.concurrency
        mismatches = stress.mismatches.first
        elapsedSeconds = elapsed / .seconds(1)
        endedBy = "\(end)"
        self.end = end
    }

    private let end: RunEnd

    private enum CodingKeys: String, CodingKey {
        case hops, wrongIdentities, lostWork, requests, seed, workloadHash, depth, concurrency
        case boundaries, languageBoundaries, mismatches
        case elapsedSeconds, endedBy
    }

    /// True if all work ran, and each piece with the right identity.
    var isRight: Bool { wrongIdentities == 0 && lostWork == 0 && end != .stalled }
}
