import MultiIdentity

/// The values that code on any thread wrote down, in that order.
final class Notebook<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    var all: [Value] { values.withLock { $0 } }
}
