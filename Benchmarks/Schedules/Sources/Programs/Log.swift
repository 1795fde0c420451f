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

/// Something that a program finds wrong with itself.
public struct Wrong: Error {
    /// The fault.
    public let what: String
    /// Makes an error.
    public init(_ what: String) { self.what = what }
}
