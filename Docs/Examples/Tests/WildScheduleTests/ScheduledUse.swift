@preconcurrency import Dispatch
import Synchronization
import Testing

/// A use of a package, which throws if the result is wrong.
struct ScheduledUse: Sendable, CustomTestStringConvertible {
    let name: String
    /// The finding under some schedule.
    var finding = ""
    /// True if the package iterates over a dictionary by addresses, so that the same choices can lead to other steps.
    var ordersByAddress = false
    let run: @Sendable () async throws -> Void

    var testDescription: String { name }
}

struct Unexpected: Error {
    let value: String
}

func expect<T: Equatable>(_ expected: T, _ value: T) throws {
    if value != expected { throw Unexpected(value: "\(value)") }
}

/// The notes of callbacks, in order.
final class Seen<Element: Sendable>: Sendable {
    private let values = Mutex<[Element]>([])

    var all: [Element] { values.withLock { $0 } }

    func add(_ value: Element) { values.withLock { $0.append(value) } }
}

/// Runs pieces of work in parallel, and returns when all have ended.
func atOnce(_ works: (() -> Void)...) async {
    let group = DispatchGroup()
    for work in works {
        nonisolated(unsafe) let work = work
        DispatchQueue.global().async(group: group) { work() }
    }
    await withCheckedContinuation { ended in group.notify(queue: .global()) { ended.resume() } }
}
