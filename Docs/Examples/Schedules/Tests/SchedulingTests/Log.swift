import Synchronization

/// Notes of what happened, in order. No lock of it is held across a hand-over.
final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
    var all: [Entry] { entries.withLock { $0 } }
}
