import Foundation
import Synchronization

/// The time of day as a test has it.
final class TestedTime: Sendable {
    private let seconds = Mutex(1_800_000_000.0)

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func advance(by duration: Double) { seconds.withLock { $0 += duration } }
}
