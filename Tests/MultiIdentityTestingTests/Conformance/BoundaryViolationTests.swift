import MultiIdentityTesting
import Testing

@Suite("A violation") struct BoundaryViolationTests {
    @Test(
        "says what happened to the identity: lost, mixed, left behind, or something else",
        arguments: [
            ("a plain queue", BoundaryPromise.carriesAName, BoundaryViolation.Kind.lost),
            ("a loop that takes nobody for unset", .carriesNobody, .lost),
            ("a loop that skips unset", .carriesUnset, .mixed),
            ("an item that captures each time it is performed", .capturesAtItsMoment, .mixed),
            ("a pool that drains in the first one's scope", .reinstatesAfterReturn, .leftBehind),
            ("a queue that carries Identity.current", .carriesCustomLevels, .other),
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
        "reports mixed identities in the first promise that a reader sees",
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
