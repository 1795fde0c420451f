import Synchronization

/// Notes of what happened, in order.
///
/// Its lock is never held across a hand-over.
public final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    /// Makes an empty log.
    public init() {}

    /// Adds a note.
    public func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    /// All notes, oldest first.
    public var all: [Entry] { entries.withLock { $0 } }
}

/// An error that a program finds in its own result.
public struct Wrong: Error {
    /// What is wrong.
    public let what: String
    /// Makes an error.
    public init(_ what: String) { self.what = what }
}
