import ArgumentParser
import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityDiagnostics

struct IdentityStress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sends work of many identities over every boundary, and checks its identity at every step.",
        discussion: discussion
    )

    @Option(
        parsing: .unconditional,
        help: "End after this many hops. (default: 1000000, without --requests and --seconds)"
    )
    var hops: Int?

    @Option(parsing: .unconditional, help: "End after this many requests.")
    var requests: Int?

    @Option(parsing: .unconditional, help: "End after this many seconds.")
    var seconds: Double?

    @Option(parsing: .unconditional, help: "How many accounts the requests are of.")
    var identities = 1_000

    @Option(parsing: .unconditional, help: "How many carried boundaries each request crosses, one within another.")
    var depth = 8

    @Option(parsing: .unconditional, help: "How many requests are in flight at most.")
    var concurrency = 64

    @Option(parsing: .unconditional, help: "The same seed gives the same workload. (default: a random one, printed)")
    var seed: UInt64?

    @Option(
        name: .customLong("boundary"),
        help: ArgumentHelp("Cross only this boundary, and others that are named so.", valueName: "name")
    )
    var boundaries: [String] = []

    @Flag(help: "Write one document of JSON to the standard output, and the table to the standard error.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Write one page of HTML that loads nothing: the report, whether a broken boundary is noticed, and what hops cost.",
            valueName: "file"
        ),
        completion: .file(extensions: ["html"])
    )
    var html: String?

    @Option(help: ArgumentHelp("Break this boundary; the run has to fail and to name it.", valueName: "boundary"))
    var sabotage: String?

    @Option(
        help: ArgumentHelp("Make this boundary's worker seem to keep the identity; likewise.", valueName: "boundary")
    )
    var sabotageWorker: String?

    @Flag(
        help: """
            Hand over by plain calls what automatic mode reaches: it has to carry. Runs identity-stress-automatic, which is \
            linked with it; there, --sabotage automatic turns it off, and the run has to fail.
            """
    )
    var automatic = false

    @Flag(
        help: """
            Turn on revocation, counters, provenance and the record of running work, and have every task-local carried besides. \
            Afterwards no work may be noted as running any more.
            """
    )
    var allFeatures = false

    @Flag(help: "Charge processor time to identities, and show the largest accounts, on the page too.")
    var accounts = false

    @Flag(help: "List the boundaries that the package carries, one a line.")
    var listBoundaries = false

    /// A mistyped command: it arrives here because a command name is optional.
    @Argument(help: .hidden)
    var unexpected: [String] = []

    func validate() throws {
        try Self.check(hops, "--hops", in: 1...Int.max / 1_000)
        try Self.check(requests, "--requests", in: 1...Int.max / 1_000)
        try Self.check(identities, "--identities", in: 1...1_000_000_000)
        try Self.check(depth, "--depth", in: 1...100)
        try Self.check(concurrency, "--concurrency", in: 1...10_000)
        if let seconds, !(seconds > 0 && seconds <= 1_000_000) {
            throw ValidationError("--seconds is \(seconds); give a number above 0, up to 1000000.")
        }
        for name in boundaries { _ = try Self.place(of: name, "--boundary") }
        if !boundaries.isEmpty, BoundaryMix(names: boundaries).carried.isEmpty {
            throw ValidationError("--boundary names only what the language carries; add one that the package carries.")
        }
        _ = try sabotaged
    }

    /// Refuses a word that is no command.
    ///
    /// An unknown option was refused before, as the word may be its value.
    func checkUnexpected() throws {
        guard let word = unexpected.first else { return }
        let shown = Program.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        let known = shown.map { "\"\($0._commandName)\"" }
        throw ValidationError("\"\(word)\" is no command. Did you mean \(known.joined(separator: " or "))?")
    }

    func run() throws {
        try checkUnexpected()
        if automatic { try AutomaticMode.begin(isSabotaged: isAutomaticSabotaged) }
        if listBoundaries {
            for boundary in BoundaryCatalogue.carried { print(boundary.name) }
            return
        }
        if allFeatures { try Features.turnOnAll() }
        if accounts { IdentityAccounts.isOn = true }
        // Expected for requests without a thread level and without their own levels.
        IdentityLevels.shared.process = try Identity("process@host.example")
        IdentityLevels.shared.ui = try Identity("ui@host.example")
        let options = try options(seed: seed ?? UInt64(UInt32.random(in: 0...(.max))))
        let stress = Stress(options)
        let interruption = Interruption(stress)
        let progress = ProgressLine(stress)
        let page = html.map {
            ReportPage(path: $0, options: options, broken: [sabotage, sabotageWorker].compactMap(\.self))
        }
        Thread.detachNewThread {
            let report = stress.run()
            progress.end()
            let left = allFeatures ? Features.left : nil
            let table = accounts ? AccountTable(IdentityAccounts.snapshot()) : nil
            IdentityAccounts.isOn = false  // the page measures hops
            withExtendedLifetime(interruption) { Self.end(with: report, table, left, asJSON: json, page) }
        }
        dispatchMain()  // drains the main queue, which work crosses
    }
}

extension IdentityStress {
    /// Returns the options for the arguments.
    func options(seed: UInt64) throws -> StressOptions {
        var options = StressOptions(seed: seed)
        options.identities = identities
        options.depth = depth
        options.concurrency = concurrency
        options.mix = BoundaryMix(names: boundaries)
        options.hops = hops ?? (requests == nil && seconds == nil ? 1_000_000 : nil)
        options.requests = requests
        options.seconds = seconds
        options.sabotage = try sabotaged
        options.isAutomatic = automatic
        return options
    }

    private var isAutomaticSabotaged: Bool { automatic && sabotage == "automatic" }

    private var sabotaged: Sabotage? {
        get throws {
            guard sabotage != nil || sabotageWorker != nil, !isAutomaticSabotaged else { return nil }
            return Sabotage(
                work: try sabotage.map { try Self.sabotagedPlace($0, "--sabotage", boundaries) },
                worker: try sabotageWorker.map { try Self.sabotagedPlace($0, "--sabotage-worker", boundaries) }
            )
        }
    }

    private static func sabotagedPlace(_ name: String, _ option: String, _ mix: [String]) throws -> Int {
        let place = try place(of: name, option)
        guard BoundaryCatalogue.isCarried(place) else {
            throw ValidationError("\(option) cannot break \"\(name)\": the language carries it, not this package.")
        }
        guard mix.isEmpty || mix.contains(name) else {
            throw ValidationError("\(option) breaks \"\(name)\", which is not among those given with --boundary.")
        }
        return place
    }

    private static func place(of name: String, _ option: String) throws -> Int {
        guard let place = BoundaryCatalogue.place(of: name) else {
            throw ValidationError("\(option) names no boundary: \"\(name)\". --list-boundaries lists them.")
        }
        return place
    }

    private static func check(_ value: Int?, _ option: String, in range: ClosedRange<Int>) throws {
        if let value, !range.contains(value) {
            let (lowest, highest) = (range.lowerBound, range.upperBound)
            throw ValidationError("\(option) is \(value); give a number from \(lowest) to \(highest).")
        }
    }
}
