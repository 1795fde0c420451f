import MultiIdentity
import MultiIdentityTesting
import Testing

@Suite("A boundary with one fault", .rule("4")) struct BrokenPromiseTests {
    @Test("breaks only the promises that depend on it, and says how to fix it", arguments: BrokenBoundary.ofHere)
    func breaks(_ boundary: BrokenBoundary) async throws {
        let violations = try await violations(of: boundary)
        let broken = Set(violations.map(\.promise)).subtracting(boundary.byChance)
        #expect(broken.subtracting(boundary.breaks) == [], "broken besides")
        #expect(boundary.breaks.subtracting(broken) == [], "kept after all")
        #expect(violations.contains { $0.mending.hasPrefix(boundary.mending) }, "\(violations)")
        for violation in violations {
            #expect(violation.boundary == boundary.name)
            let message = "\(violation)"
            for part in [
                boundary.name, violation.promise.sentence, "(rule \(violation.rule))", violation.situation,
                "expected \(violation.expected)", "found \(violation.found)", violation.mending,
            ] {
                #expect(message.contains(part))
            }
        }
    }

    private func violations(of boundary: BrokenBoundary) async throws -> [BoundaryViolation] {
        try await withThrowingTaskGroup(of: BoundaryViolation?.self) { group in
            for promise in BoundaryPromise.allCases {
                group.addTask {
                    do {
                        try await promise.check(on: boundary.make(), seed: 1)
                        return nil
                    } catch let violation as BoundaryViolation {
                        return violation
                    }
                }
            }
            return try await group.compactMap { $0 }.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("exists for each promise", arguments: BoundaryPromise.allCases) func covers(_ promise: BoundaryPromise) {
        #expect(BrokenBoundary.all.contains { $0.breaks.contains(promise) })
    }

    @Test("is recognised by its message: what was done, expected and found, and what to do")
    func message() async throws {
        let broken = try #require(BrokenBoundary.all.first { $0.name == "a loop that skips unset" })
        let violation = try await #require(throws: BoundaryViolation.self) {
            try await BoundaryPromise.carriesUnset.check(on: broken.make())
        }
        #expect(
            "\(violation)" == """
                "a loop that skips unset" breaks a promise of a boundary: work handed over with nothing bound runs with \
                nothing bound, whatever its worker has bound (rule 4.3).
                handed over with nothing bound from a bare thread, run on a worker as worker@boundary.test: expected \
                unset, found worker@boundary.test.
                Usual fix: unset travels too. Restore the snapshot even if it has no identity \
                (`snapshot.identity == nil`): the worker can be inside another scope.
                """
        )
        #expect(violation.expected == .identity(nil))
        #expect(violation.found == .identity(try Identity("worker@boundary.test")))
    }

    @Test("is reported with the seed of its random choices") func seed() async throws {
        let broken = try #require(BrokenBoundary.all.first { $0.name == "a plain queue" })
        let violation = try await #require(throws: BoundaryViolation.self) {
            try await BoundaryPromise.neverMixesCallers.check(on: broken.make(), seed: 4_711)
        }
        #expect(violation.situation.contains("seed 4711"))
    }
}
