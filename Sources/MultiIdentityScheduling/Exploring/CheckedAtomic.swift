#if os(Linux)
import CMultiIdentityScheduling
public import Synchronization

/// An `Atomic` that a schedule controls: before each access another work item can run.
///
/// The compiler inlines `Atomic`, so it cannot be intercepted. Use this type in its place in a test.
/// All accesses are sequentially consistent, whichever ordering is passed: errors that need a weaker one are not found.
public struct CheckedAtomic<Value: AtomicRepresentable & Sendable>: ~Copyable, Sendable {
    // Generic code cannot use the operations of `Atomic`, which exist for each size.
    private let value: Mutex<Value>
    private let steps = CheckedSteps()

    /// Creates an atomic value.
    /// - Parameter initialValue: The value.
    public init(_ initialValue: Value) { value = Mutex(initialValue) }

    /// Returns the value.
    /// - Parameter ordering: The ordering that `Atomic` would have.
    /// - Returns: The value.
    public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
        steps.step(mi_step_access, .reads)
        return value.withLock { $0 }
    }

    /// Sets the value.
    /// - Parameters:
    ///   - desired: The new value.
    ///   - ordering: The ordering that `Atomic` would have.
    public borrowing func store(_ desired: Value, ordering: AtomicStoreOrdering) {
        update { $0 = desired }
    }

    /// Sets the value, and returns the old one.
    /// - Parameters:
    ///   - desired: The new value.
    ///   - ordering: The ordering that `Atomic` would have.
    /// - Returns: The old value.
    public borrowing func exchange(_ desired: Value, ordering: AtomicUpdateOrdering) -> Value {
        update { $0 = desired }.oldValue
    }

    @discardableResult
    private borrowing func update(_ change: @Sendable (inout Value) -> Void) -> (oldValue: Value, newValue: Value) {
        steps.step(mi_step_access, .writes)
        return value.withLock { value in
            let old = value
            change(&value)
            return (old, value)
        }
    }
}

extension CheckedAtomic where Value: Equatable {
    /// Sets the value if it equals the expected one.
    /// - Parameters:
    ///   - expected: The value to compare with.
    ///   - desired: The new value.
    ///   - ordering: The ordering that `Atomic` would have.
    /// - Returns: Whether it was set, and the old value.
    public borrowing func compareExchange(
        expected: Value,
        desired: Value,
        ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        let old = update { if $0 == expected { $0 = desired } }.oldValue
        return (old == expected, old)
    }
}

extension CheckedAtomic where Value: FixedWidthInteger {
    /// Adds to the value, and wraps around on overflow.
    /// - Parameters:
    ///   - operand: The number to add.
    ///   - ordering: The ordering that `Atomic` would have.
    /// - Returns: The old value, and the new one.
    @discardableResult
    public borrowing func wrappingAdd(
        _ operand: Value,
        ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) {
        update { $0 &+= operand }
    }

    /// Subtracts from the value, and wraps around on overflow.
    /// - Parameters:
    ///   - operand: The number to subtract.
    ///   - ordering: The ordering that `Atomic` would have.
    /// - Returns: The old value, and the new one.
    @discardableResult
    public borrowing func wrappingSubtract(
        _ operand: Value,
        ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) {
        update { $0 &-= operand }
    }
}
#endif
