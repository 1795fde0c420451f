import MultiIdentity

/// What work on any thread wrote down, in that order.
///
/// Behind the package's own lock and not `Mutex`, whose order the thread sanitizer cannot see.
final class Notes<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    var all: [Value] { values.withLock { $0 } }
}
