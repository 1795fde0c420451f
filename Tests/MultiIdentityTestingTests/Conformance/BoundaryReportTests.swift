import Dispatch
import MultiIdentity
import MultiIdentityTesting
import Testing

@Suite("A report of all promises") struct BoundaryReportTests {
    private func plainQueue() -> BoundaryConformance {
        let queue = DispatchQueue(label: "plain")
        return BoundaryConformance("a plain queue") { queue.async(execute: $0) }
    }

    @Test("has a row for each promise, and prints them as a table")
    func table() async throws {
        let printed = Notes<String>()
        let report = try await BoundaryPromise.report(seed: 1, on: { plainQueue() }, printing: { printed.add($0) })
        #expect(report.boundary == "a plain queue")
        #expect(report.rows.map(\.promise) == BoundaryPromise.allCases)
        #expect(Set(report.violations.map(\.promise)) == BrokenBoundary.losing)
        #expect(Set(report.violations.map(\.kind)) == [.lost, .other])
        #expect(printed.all == ["\(report)"])
        let lines = "\(report)".split(separator: "\n")
        #expect(lines.first?.hasPrefix("a plain queue: ") == true)
        #expect(lines.first?.hasSuffix(" not applicable") == true)
        #expect(
            lines.contains(
                "kept            work handed over with nothing bound runs with nothing bound, whatever its worker has (rule 4.3)"
            )
        )
        #expect(lines.contains("lost            work runs as the identity that handed it over (rule 4.1)"))
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "                  handed over as The-Caller@boundary.test from a bare thread: expected The-C"
                )
            }
        )
        for promise in BoundaryPromise.allCases { #expect(lines.contains { $0.hasSuffix("\(promise)") }) }
    }

    @Test(
        "says what became of the identity: lost, mixed, left behind, or something else",
        arguments: [
            ("a plain queue", BoundaryPromise.carriesAName, BoundaryViolation.Kind.lost),
            ("a loop that takes nobody for unset", .carriesNobody, .lost),
            ("a loop that skips unset", .carriesUnset, .mixed),
            ("an item that captures each time it is performed", .capturesAtItsMoment, .mixed),
            ("a pool that drains in the first one's scope", .reinstatesAfterReturn, .leftBehind),
            ("a queue that carries Identity.current", .carriesOwnLevels, .other),
        ]
    )
    func kinds(_ name: String, _ promise: BoundaryPromise, _ kind: BoundaryViolation.Kind) async throws {
        let broken = try #require(BrokenBoundary.all.first { $0.name == name })
        let violation = try await #require(throws: BoundaryViolation.self) {
            try await promise.check(on: broken.make(), seed: 1)
        }
        #expect(violation.kind == kind, "\(violation)")
    }

    @Test(
        "shows that identities are mixed up in the first promise that a reader looks at",
        arguments: [
            "an item that captures each time it is performed", "a pool that captures when it is made",
            "a pool with one capture for all", "a pool that remembers who was last",
            "a loop that captures when it is drained", "a stream with a worker task that the first started",
            "a framework that calls what the handler gave back as itself", "an upstream of its first consumer",
        ]
    )
    func mixing(_ name: String) async throws {
        let broken = try #require(BrokenBoundary.all.first { $0.name == name })
        let first = try #require(BoundaryPromise.allCases.first)
        let violation = try await #require(throws: BoundaryViolation.self) { try await first.check(on: broken.make()) }
        #expect(violation.kind == .mixed, "\(violation)")
    }
}
