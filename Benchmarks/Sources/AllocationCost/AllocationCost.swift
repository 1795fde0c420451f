import ArgumentParser
import CAllocationCount
import Dispatch
import Foundation
import MultiIdentityDoctor

@main
struct AllocationCost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocation-cost",
        abstract: "Counts the allocations that carrying adds to a hop, at each boundary that the doctor examines.",
        discussion: """
            Each boundary is crossed many times in plain Swift and with this package, as one and the same user; counted is \
            every allocation of the process from before a crossing until after it, and compared are the medians.

            Prints Sources/MultiIdentityDoctor/ExtraAllocations.swift; with --check, holds the figures that stand there, \
            each to within --tolerance or a fifth, whichever is more: how often a waiting operation is looked at varies.
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
            let findings = await IdentityDoctor.examine(options).findings
            if check { Self.hold(findings, tolerance) }
            print(Self.source(of: findings), terminator: "")
            Foundation.exit(0)
        }
        dispatchMain()  // the main queue has to be drained, since it is examined too
    }

    private static func hold(_ findings: [Diagnosis.Finding], _ tolerance: Int) -> Never {
        var failures = 0
        for finding in findings where finding.countedAllocations != nil || finding.extraAllocations != nil {
            let (held, counted) = (finding.extraAllocations, finding.countedAllocations)
            let isHeld = held.flatMap { held in counted.map { abs($0 - held) <= max(tolerance, held / 5) } } ?? false
            let shown = [held, counted].map { $0.map(String.init) ?? "none" }
            print("\(isHeld ? "held  " : "FAILED") \(finding.boundary): \(shown[0]) committed, \(shown[1]) counted")
            if !isHeld { failures += 1 }
        }
        Foundation.exit(failures == 0 ? 0 : 1)
    }

    static func source(of findings: [Diagnosis.Finding]) -> String {
        let figures = findings.compactMap { finding in
            finding.countedAllocations.map { "        \"\(finding.boundary)\": \($0)," }
        }
        return """
            // Counted by `swift run -c release --package-path Benchmarks allocation-cost`, which prints this file, and held by
            // the same with --check: Linux, x86-64, Swift 6.3.

            extension ExaminedBoundary {
                /// The allocations that carrying adds to a hop, with an identity bound.
                var extraAllocations: Int? { Self.extraAllocations[name] }

                private static let extraAllocations: [String: Int] = [
            \(figures.joined(separator: "\n"))
                ]
            }

            """
    }
}
