import Dispatch
import Glibc

// Injected into the package's sources by `.ci/check-mutants`; not part of the package.

private let chosen = getenv("MULTI_IDENTITY_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

/// Returns whether the mutant of this number is selected.
public func isMutant(_ number: Int) -> Bool { chosen == number }

/// One place for captures, although each piece of work needs its own.
@usableFromInline package enum LastCapture: Sendable {
    private static let place = Locked<IdentitySnapshot>(IdentitySnapshot(.nothing))

    @usableFromInline package static func keep(_ snapshot: IdentitySnapshot) { place.withLock { $0 = snapshot } }

    package static func keep(_ captured: BoundaryCapture) { keep(captured.snapshot) }

    @usableFromInline package static var snapshot: IdentitySnapshot { place.withLock { $0 } }

    package static func restore(_ work: () -> Void) { BoundaryCapture(of: snapshot, at: .snapshot).restore(work) }

    package static func later(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }
}
