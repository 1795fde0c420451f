import MultiIdentity
import Synchronization

/// The first few mismatches; only these take a lock.
final class MismatchLog: Sendable {
    static let limit = 10

    private let mismatches = Mutex<[Mismatch]>([])

    func record(_ difference: Expectation.Difference, at place: Place, of hop: Hop) {
        mismatches.withLock { mismatches in
            guard mismatches.count < Self.limit else { return }
            mismatches.append(
                Mismatch(
                    boundary: BoundaryCatalogue.all[Int(hop.step.boundary)].name,
                    place: place,
                    kind: difference.kind,
                    expected: Self.text(difference.expected),
                    found: Self.text(difference.found),
                    request: hop.request.number,
                    step: hop.index,
                    before: hop.index == 0
                        ? nil : BoundaryCatalogue.all[Int(hop.request.steps[hop.index - 1].boundary)].name
                )
            )
        }
    }

    var first: [Mismatch] { mismatches.withLock { $0 } }

    private static func text(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "(unset)" }
}
