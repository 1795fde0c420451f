import Synchronization

/// The counts of one boundary.
///
/// Each is a separate object, so that they share no cache line.
final class Tally: Sendable {
    private let handedOverCount = Atomic(0)
    private let ranCount = Atomic(0)
    private let wrongCount = Atomic(0)

    func countHandedOver() { handedOverCount.add(1, ordering: .relaxed) }
    func countRun() { ranCount.add(1, ordering: .relaxed) }
    func countWrong() { wrongCount.add(1, ordering: .relaxed) }

    /// Pieces of work that were handed over.
    var handedOver: Int { handedOverCount.load(ordering: .relaxed) }
    /// Pieces of work that ran; at the end, as many as were handed over.
    var ran: Int { ranCount.load(ordering: .relaxed) }
    /// Checks that found a wrong identity.
    var wrong: Int { wrongCount.load(ordering: .relaxed) }
}
