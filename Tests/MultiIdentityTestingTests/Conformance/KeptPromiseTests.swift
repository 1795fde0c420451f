import MultiIdentityTesting
import Testing

@Suite("A correct boundary") struct KeptPromiseTests {
    @Test("keeps every promise that applies to it", .rule("4"), arguments: GoodBoundary.all, BoundaryPromise.allCases)
    func keeps(_ boundary: GoodBoundary, _ promise: BoundaryPromise) async throws {
        let outcome = try await promise.check(on: boundary.make())
        switch outcome {
        case .kept: #expect(!boundary.inapplicable.contains(promise), "it applies after all")
        case .notApplicable(let reason): #expect(boundary.inapplicable.contains(promise), "\(reason)")
        }
    }
}
