/// The findings of a run.
struct Report: Sendable, Encodable {
    /// One boundary that the package carries.
    struct Boundary: Sendable, Encodable {
        let name: String
        let hops: Int
        let wrong: Int
        /// Pieces of work that were handed over and did not run; negative if some ran twice.
        let lost: Int
        let nanosecondsPerHop: Double?
        let rawNanosecondsPerHop: Double?
    }

    /// One boundary that the language carries.
    struct LanguageBoundary: Sendable, Encodable {
        let name: String
        let hops: Int
        let wrong: Int
        let lost: Int
    }

    /// Hops over carried boundaries; the language's are not among them.
    let hops: Int
    /// Checks that failed, at boundaries of both kinds.
    let wrongIdentities: Int
    let lostWork: Int
    let requests: Int
    let seed: UInt64
    let workloadHash: String
    let depth: Int
    let concurrency: Int
    let boundaries: [Boundary]
    let languageBoundaries: [LanguageBoundary]
    /// The first few.
    let mismatches: [Mismatch]
    /// The times that two iterations of a `concurrentPerform` were to meet, and did, on two threads.
    let meetingsTried: Int
    let meetingsHeld: Int
    let elapsedSeconds: Double
    /// Without the timed blocks.
    let workloadSeconds: Double
    let endedBy: String

    init(
        _ stress: Stress,
        end: RunEnd,
        timings: Timings,
        elapsed: Duration,
        busy: Duration,
        requests: Int,
        workloadHash: UInt64
    ) {
        let mix = stress.options.mix
        let tallies = stress.tallies
        boundaries = mix.carried.map { Int($0) }.map { place in
            Boundary(
                name: BoundaryCatalogue.all[place].name,
                hops: tallies[place].ran,
                wrong: tallies[place].wrong,
                lost: tallies[place].handedOver - tallies[place].ran,
                nanosecondsPerHop: timings.median(of: place, .carried).map(Self.rounded),
                rawNanosecondsPerHop: timings.median(of: place, .raw).map(Self.rounded)
            )
        }
        languageBoundaries = mix.language.map { Int($0) }.map { place in
            LanguageBoundary(
                name: BoundaryCatalogue.all[place].name,
                hops: tallies[place].ran,
                wrong: tallies[place].wrong,
                lost: tallies[place].handedOver - tallies[place].ran
            )
        }
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
        meetingsTried = stress.meetings.triedCount
        meetingsHeld = stress.meetings.heldCount
        elapsedSeconds = elapsed / .seconds(1)
        workloadSeconds = busy / .seconds(1)
        endedBy = "\(end)"
        self.end = end
    }

    private let end: RunEnd

    private enum CodingKeys: String, CodingKey {
        case hops, wrongIdentities, lostWork, requests, seed, workloadHash, depth, concurrency
        case boundaries, languageBoundaries, mismatches, meetingsTried, meetingsHeld
        case elapsedSeconds, workloadSeconds, endedBy
    }

    /// True if all that ran was right, and all that was handed over ran.
    var isRight: Bool { wrongIdentities == 0 && lostWork == 0 && end != .stalled }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
