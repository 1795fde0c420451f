import Dispatch
import MultiIdentity
import MultiIdentityInterposition
import MultiIdentityTesting
import Testing

extension AutomaticMode {
    @Suite("a plain call") struct ConformanceTests {
        @Test("keeps every promise of a boundary that applies", arguments: PlainBoundary.all, BoundaryPromise.allCases)
        func keeps(_ boundary: PlainBoundary, _ promise: BoundaryPromise) async throws {
            switch try await promise.check(on: boundary.conforming()) {
            case .kept: #expect(!boundary.inapplicable.contains(promise), "it applies after all")
            case .notApplicable(let reason): #expect(boundary.inapplicable.contains(promise), "\(reason)")
            }
        }

        /// Not where the caller's own thread can run the work, which keeps it all the same.
        @Test("breaks the first while it is turned off, and the suite says so", arguments: PlainBoundary.elsewhere)
        func turnedOff(_ boundary: PlainBoundary) async throws {
            IdentityInterposition.turnOff()
            let violation = await #expect(throws: BoundaryViolation.self) {
                try await BoundaryPromise.carriesAName.check(on: boundary.conforming())
            }
            try IdentityInterposition.turnOn()
            #expect(violation?.promise == .carriesAName)
        }

        @Test("keeps each whoever is bound where the suite is called", arguments: BoundaryPromise.allCases)
        func underSomebody(_ promise: BoundaryPromise) async throws {
            try await withIdentity(Identity("ada@contoso.com")) {
                let queue = DispatchQueue(label: "boundary")
                let boundary = BoundaryConformance("async") { queue.async(execute: $0) }
                    .running(on: .reachable { queue.async(execute: $0) })
                _ = try await promise.check(on: boundary.within(.seconds(20)))
            }
        }
    }
}
