import ArgumentParser
import CCosts
import Dispatch
import Foundation
import MultiIdentityDoctor

/// Counts what carrying allocates, at each boundary that the doctor examines.
struct Allocations: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the allocations that carrying adds to a hop, at each boundary that the doctor examines.",
        discussion: """
            Each boundary is crossed many times in plain Swift and with this package, as one and the same user; counted is \
            every allocation of the process from before a crossing until after it, and compared are the medians.

            Prints the table of Sources/MultiIdentityDoctor/ExtraAllocations.swift; with --check, checks the figures there, \
            each to within --tolerance or a fifth, whichever is more: how often a waiting operation is checked varies. \
            A figure that is off is counted again, since what other threads allocate meanwhile is counted too.
            """
    )

    @Flag(help: "Check the figures that are committed; exit status 1 where one differs.")
    var check = false

    @Option(help: "By how much a count may differ.")
    var tolerance = 2

    func run() throws {
        guard allocation_count() >= 0 else { throw ValidationError("This build cannot count its allocations.") }
        var options = IdentityDoctor.Options()
        options.limit = .seconds(60)
        options.repetitions = 1
        options.allocationCount = { allocation_count() }
        Task { [options] in
            if check { await check(options) }
            for finding in await IdentityDoctor.examine(options).findings {
                if let count = finding.countedAllocations { print("        \"\(finding.boundary)\": \(count),") }
            }
            Foundation.exit(0)
        }
        dispatchMain()  // the main queue has to be drained, since it is examined too
    }

    /// The most counts of a figure that is off: what other threads allocate counts too, but not every time.
    private static let attempts = 20

    private func check(_ options: IdentityDoctor.Options) async -> Never {
        var options = options
        var missed: [Diagnosis.Finding] = []
        for attempt in 1...Self.attempts {
            let findings = await IdentityDoctor.examine(options).findings
            missed = findings.filter { !isWithin($0) }
            for finding in findings where !missed.contains(finding) && finding.extraAllocations != nil {
                print("within \(line(finding))\(attempt > 1 ? ", at attempt \(attempt)" : "")")
            }
            if missed.isEmpty { Foundation.exit(0) }
            options.boundaries = Set(missed.map(\.boundary))
        }
        for finding in missed { print("FAILED \(line(finding)), at each of \(Self.attempts) attempts") }
        Foundation.exit(1)
    }

    private func isWithin(_ finding: Diagnosis.Finding) -> Bool {
        switch (finding.extraAllocations, finding.countedAllocations) {
        case (nil, nil): true
        case (let committed?, let counted?): abs(counted - committed) <= max(tolerance, committed / 5)
        case (nil, _?), (_?, nil): false
        }
    }

    private func line(_ finding: Diagnosis.Finding) -> String {
        let shown = [finding.extraAllocations, finding.countedAllocations].map { $0.map(String.init) ?? "none" }
        return "\(finding.boundary): \(shown[0]) committed, \(shown[1]) counted"
    }
}
