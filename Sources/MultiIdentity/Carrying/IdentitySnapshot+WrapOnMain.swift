// Names of their own: Swift takes closures of the main actor and others for the same parameter, and so has no overloads.
extension IdentitySnapshot {
    /// A closure of the main actor that runs `work` there as the captured identity: what a button or a view calls.
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

    /// A closure of the main actor that runs throwing `work` there as the captured identity; its errors keep their type.
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
