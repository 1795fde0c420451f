package import MultiIdentity

extension Locked<Int> {
    /// Adds one, and returns the sum.
    package func next() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}

extension Locked {
    /// Removes the value, and returns it.
    package func take<Value: Sendable>() -> Value? where State == Value? {
        withLock { state in
            defer { state = nil }
            return state
        }
    }
}
