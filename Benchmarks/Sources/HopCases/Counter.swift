import Synchronization

/// The one reference that every closure captures.
///
/// `@unchecked Sendable`: used by one serial queue at a time, which orders the accesses.
final class Counter: @unchecked Sendable {
    var value = 0
}

/// A counter for work that runs on several threads at once.
final class SharedCounter: Sendable {
    private let count = Atomic(0)
    func step() { count.add(1, ordering: .relaxed) }
}
