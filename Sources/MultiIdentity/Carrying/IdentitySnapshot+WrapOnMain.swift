// Separate names: Swift does not distinguish main-actor closures from others as parameters, and so cannot overload on them.
extension IdentitySnapshot {
    /// Returns a main-actor closure that runs `work` as the captured identity, for a button or a view.
    ///
    /// ```swift
    /// button.onTap = IdentitySnapshot.capture().wrapOnMain { view.show(draft) }
    /// ```
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    public func wrapOnMain<each Argument, Value>(
        _ work: @escaping @MainActor @Sendable (repeat each Argument) -> Value
    ) -> @MainActor @Sendable (repeat each Argument) -> Value {
        { (arguments: repeat each Argument) in restore { work(repeat each arguments) } }
    }

    /// Returns a main-actor closure that runs throwing `work` as the captured identity; its errors keep their type.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    public func wrapOnMain<each Argument, Value, Failure: Error>(
        _ work: @escaping @MainActor @Sendable (repeat each Argument) throws(Failure) -> Value
    ) -> @MainActor @Sendable (repeat each Argument) throws(Failure) -> Value {
        { (arguments: repeat each Argument) throws(Failure) -> Value in
            try restore { () throws(Failure) -> Value in try work(repeat each arguments) }
        }
    }
}
