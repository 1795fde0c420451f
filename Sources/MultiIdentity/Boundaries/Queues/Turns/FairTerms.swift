import CMultiIdentity
import Synchronization

/// The terms of a fair queue: what is shared, and by which weights.
///
/// A class, so that two modes of draining can be compared: a function cannot.
final class FairTerms: Sendable {
    /// Reads the clock of what is shared, on the thread that works; `nil` if each piece costs the same.
    let clock: (@Sendable () -> UInt64)?
    private let weights: (@Sendable (Identity?) -> Double)?
    private let hasSaid = Atomic(false)

    /// What a piece costs if all cost the same: a grain.
    static let priceOfPiece: UInt64 = 1 << FairOrder.grain
    static let weightsInUse = 0.01...100.0

    init(clock: (@Sendable () -> UInt64)?, weights: (@Sendable (Identity?) -> Double)?) {
        (self.clock, self.weights) = (clock, weights)
    }

    convenience init(_ measure: IdentityQueue.Draining.Measure, _ weights: (@Sendable (Identity?) -> Double)?) {
        switch measure {
        case .cpuTime: self.init(clock: { mi_thread_cpu_nanoseconds() }, weights: weights)
        case .wallTime: self.init(clock: { UInt64(mi_continuous_nanoseconds()) }, weights: weights)
        case .pieces: self.init(clock: nil, weights: weights)
        }
    }

    /// The weight of all, if no one was given another.
    var commonWeight: Double? { weights == nil ? 1 : nil }

    /// Returns the weight of an identity, within the limits; a weight that is no number is the least.
    func weight(of identity: Identity?) -> Double {
        guard let weight = weights?(identity) else { return 1 }
        if Self.weightsInUse.contains(weight) { return weight }
        let used = weight > 1 ? Self.weightsInUse.upperBound : Self.weightsInUse.lowerBound
        if !hasSaid.exchange(true, ordering: .relaxed) {
            StandardError.print(
                "MultiIdentity: a fair queue's weight for \(identity.map(\.description) ?? "unset") is \(weight), and counts as \(used): weights are from \(Self.weightsInUse.lowerBound) to \(Self.weightsInUse.upperBound)."
            )
        }
        return used
    }
}

extension FairTerms: Hashable {
    static func == (one: FairTerms, other: FairTerms) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
