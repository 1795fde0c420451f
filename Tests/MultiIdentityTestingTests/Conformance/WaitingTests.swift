import MultiIdentity
import MultiIdentityTesting
import Testing

@Suite("A check of a boundary", .rule("4"), .timeLimit(.minutes(20))) struct WaitingTests {
    @Test("gives up on work that never runs when the time limit is reached, and says so") func limit() async throws {
        let boundary = BoundaryConformance("never") { _ in }.within(.milliseconds(10))
        let violation = try await #require(throws: BoundaryViolation.self) {
            try await BoundaryPromise.carriesAName.check(on: boundary)
        }
        #expect(violation.expected == .fact("work that runs"))
        #expect(violation.found == .fact("none within 0.01 seconds"))
    }

    @Test("ends at once when its task is cancelled, without a violation") func cancellation() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let boundary = BoundaryConformance("never") { _ in begin.finish() }.within(.seconds(100_000))
        let check = Task { try await BoundaryPromise.carriesAName.check(on: boundary) }
        for await _ in begun {}
        check.cancel()
        await #expect(throws: CancellationError.self) { try await check.value }
    }

    @Test("leaves the bound identity as it was, and does not depend on it", arguments: BoundaryPromise.allCases)
    func ambient(_ promise: BoundaryPromise) async throws {
        let queue = IdentityQueue(label: "queue")
        let boundary = BoundaryConformance("queue") { queue.async(execute: $0) }
        try await withIdentity(grace) {
            try await promise.check(on: boundary)
            #expect(Identity.current == grace)
        }
    }

    @Test("gives the reason if a promise does not apply") func reason() async throws {
        let boundary = BoundaryConformance("queue") { IdentityQueue(label: "queue").async(execute: $0) }
        #expect(
            try await BoundaryPromise.keepsIdentityOnEachRun.check(on: boundary)
                == .notApplicable(reason: "it is not declared as reusable: `.reusable()`")
        )
        #expect(try await BoundaryPromise.carriesAName.check(on: boundary) == .kept)
    }

    @Test("has a sentence and a rule for each promise, with distinct names and sentences") func sentences() {
        let all = BoundaryPromise.allCases
        #expect(Set(all.map(\.sentence)).count == all.count)
        #expect(all.allSatisfy { "\($0)" == "\($0.sentence) (rule \($0.rule))" })
    }
}
