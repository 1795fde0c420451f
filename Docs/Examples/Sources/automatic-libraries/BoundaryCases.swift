import Dispatch
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import MultiIdentityTesting

/// Every promise of a boundary, on every plain call that automatic mode reaches.
enum BoundaryCases {
    static func check(_ cases: inout Cases) async {
        for boundary in PlainBoundary.all {
            await cases.check("every promise: \(boundary.name)") {
                for promise in BoundaryPromise.allCases {
                    let isKept: Bool
                    switch try await promise.check(on: boundary.conforming()) {
                    case .kept: isKept = true
                    case .notApplicable: isKept = false
                    }
                    if isKept == boundary.inapplicable.contains(promise) {
                        throw Difference(
                            description: "\(promise) is \(isKept ? "applicable" : "not applicable") after all"
                        )
                    }
                }
            }
        }
        // Not if the caller's own thread can run the work, which then always keeps the identity.
        for boundary in PlainBoundary.all where boundary.worker == .queue || boundary.worker == .elsewhere {
            await cases.check("turned off, the first promise is broken, and the kit says so: \(boundary.name)") {
                let broken: BoundaryPromise? = try await turnedOff {
                    do {
                        _ = try await BoundaryPromise.carriesAName.check(on: boundary.conforming())
                        return nil
                    } catch let violation as BoundaryViolation {
                        return violation.promise
                    }
                }
                try expect(broken, .carriesAName)
            }
        }
        await cases.check("every promise, with an identity bound where the kit is called") {
            try await withIdentity(Identity("ada@contoso.com")) {
                let queue = DispatchQueue(label: "boundary")
                let boundary = BoundaryConformance("async") { queue.async(execute: $0) }
                    .running(on: .reachable { queue.async(execute: $0) })
                for promise in BoundaryPromise.allCases {
                    _ = try await promise.check(on: boundary.within(.seconds(20)))
                }
            }
        }
    }
}
