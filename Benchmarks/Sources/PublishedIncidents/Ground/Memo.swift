/// Results that were worked out once, by a key.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known = Mutable<[Key: Value]>([:])

    /// The value for a key: worked out now, or before.
    func callAsFunction(_ key: Key, _ workOut: () -> Value) -> Value {
        if let value = known.value[key] { return value }
        let value = workOut()
        known.value[key] = value
        return value
    }
}
