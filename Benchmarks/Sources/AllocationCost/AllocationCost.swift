import ArgumentParser
import CAllocationCount
import Dispatch
import Foundation

@main
struct AllocationCost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocation-cost",
        abstract: "Counts the allocations that carrying adds to a hop, at each boundary that the doctor examines.",
        discussion: """
            Each boundary is crossed many times in plain Swift and with this package, as one and the same user; counted is \
            every allocation of the process from before a crossing until after it, and compared are the medians.

            Prints Sources/MultiIdentityDoctor/ExtraAllocations.swift; with --check, holds the figures that stand there, \
            each to within --tolerance or a fifth, whichever is more: how often a waiting operation is looked at varies. \
            A figure that is off is counted again, since what other threads allocate meanwhile is counted too.
            """
    )

    @Flag(help: "Hold the figures that are committed; exit status 1 where one differs.")
    var check = false

    @Option(help: "By how much a count may differ.")
    var tolerance = 2

    func validate() throws {
        guard (0...100).contains(tolerance) else {
            throw ValidationError("--tolerance is \(tolerance); give a number from 0 to 100.")
        }
    }

    func run() throws {
        guard allocation_count() >= 0 else { throw ValidationError("This build cannot count its allocations.") }
        let (check, tolerance) = (check, tolerance)
        var options = IdentityDoctor.Options()
        options.limit = .seconds(60)
        options.repetitions = 1
        options.allocationCount = { allocation_count() }
        Task { [options] in
            if check { await Self.hold(options, tolerance) }
            let findings = await IdentityDoctor.examine(options).findings
            print(Self.source(of: findings), terminator: "")
            Foundation.exit(0)
        }
        dispatchMain()  // the main queue has to be drained, since it is examined too
    }

    /// The most counts of a figure that is off: what other threads allocate counts too, but not every time.
    private static let attempts = 20

    private static func hold(_ options: IdentityDoctor.Options, _ tolerance: Int) async -> Never {
        var options = options
        var missed: [Diagnosis.Finding] = []
        for attempt in 1...attempts {
            let findings = await IdentityDoctor.examine(options).findings
            missed = findings.filter { !isHeld($0, tolerance) }
            for finding in findings where !missed.contains(finding) && finding.extraAllocations != nil {
                print("held   \(line(finding))\(attempt > 1 ? ", at attempt \(attempt)" : "")")
            }
            if missed.isEmpty { Foundation.exit(0) }
            options.boundaries = Set(missed.map(\.boundary))
        }
        for finding in missed { print("FAILED \(line(finding)), at each of \(attempts) attempts") }
        Foundation.exit(1)
    }

    private static func isHeld(_ finding: Diagnosis.Finding, _ tolerance: Int) -> Bool {
        switch (finding.extraAllocations, finding.countedAllocations) {
        case (nil, nil): true
        case (let held?, let counted?): abs(counted - held) <= max(tolerance, held / 5)
        case (nil, _?), (_?, nil): false
        }
    }

    private static func line(_ finding: Diagnosis.Finding) -> String {
        let shown = [finding.extraAllocations, finding.countedAllocations].map { $0.map(String.init) ?? "none" }
        return "\(finding.boundary): \(shown[0]) committed, \(shown[1]) counted"
    }

    static func source(of findings: [Diagnosis.Finding]) -> String {
        let figures = findings.compactMap { finding in
            finding.countedAllocations.map { "        \"\(finding.boundary)\": \($0)," }
        }
        return """
            // Counted by `swift run -c release --package-path Benchmarks allocation-cost`, which prints this file, and held by
            // the same with --check: Linux, x86-64, Swift 6.3.

            extension CataloguedBoundary {
                /// The allocations that carrying adds to a hop, with an identity bound.
                var extraAllocations: Int? { Self.extraAllocations[name] }

                private static let extraAllocations: [String: Int] = [
            \(figures.joined(separator: "\n"))
                ]
            }

            """
    }
}
