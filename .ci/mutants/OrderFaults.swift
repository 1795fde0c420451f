import Dispatch
import Glibc

// Planted beside the package's sources by `.ci/check-order-mutants`; no part of the package.

/// The number that the environment chooses, and a byte for each that says whether its place was come to.
private let chosen: Int = {
    if getenv("MULTI_IDENTITY_ORDER_REACHED") != nil { atexit { writeReached() } }
    return getenv("MULTI_IDENTITY_ORDER_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
}()

/// `nonisolated(unsafe)`: bytes that only ever become 1.
private nonisolated(unsafe) let reached = {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    bytes.initialize(repeating: 0, count: 256)
    return bytes
}()

private func writeReached() {
    guard let path = getenv("MULTI_IDENTITY_ORDER_REACHED"), let file = fopen(path, "w") else { return }
    for number in 1..<256 where reached[number] != 0 { fputs("\(number)\n", file) }
    fclose(file)
}

/// Returns whether the mutant of this number is the one to run.
@usableFromInline package func isOrderFault(_ number: Int) -> Bool {
    if reached[number] == 0 { reached[number] = 1 }
    return chosen == number
}

/// One place for captures, where each piece of work should have one of its own.
package enum LastCapture {
    private static let place = Locked<IdentitySnapshot>(IdentitySnapshot(.nothing))

    package static func keep(_ snapshot: IdentitySnapshot) { place.withLock { $0 = snapshot } }

    package static func keep(_ captured: BoundaryCapture) { keep(captured.snapshot) }

    package static var snapshot: IdentitySnapshot { place.withLock { $0 } }

    package static func restore(_ work: () -> Void) { BoundaryCapture(of: snapshot, at: .snapshot).restore(work) }

    package static func later(_ work: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: work) }
}
