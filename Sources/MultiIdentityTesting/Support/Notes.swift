import MultiIdentity

/// The notes of work on any thread, in the order in which they were taken.
final class Notes<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    /// Adds a note, and returns the number of notes.
    func count(adding value: Value) -> Int {
        values.withLock {
            $0.append(value)
            return $0.count
        }
    }

    var all: [Value] { values.withLock { $0 } }
}
