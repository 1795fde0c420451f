import MultiIdentity

/// Notes of work on any thread, in order.
///
/// They are behind the package's own lock and not `Mutex`, whose order the thread sanitizer cannot see.
package final class Notes<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])

    package init() {}

    package func add(_ value: Value) { values.withLock { $0.append(value) } }

    package var all: [Value] { values.withLock { $0 } }
}
