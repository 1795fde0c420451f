// Synchronous closures with any number of arguments, asynchronous ones with none or one. The nonthrowing ones are separate
// because Swift 6.3.1 crashes when it converts a closure with the generic error type `Never`, and asynchronous ones have no
// parameter pack because it crashes on those too.
extension IdentitySnapshot {
    /// Returns a closure that runs `work` as the captured identity, on any thread, each time it is called.
    ///
    /// Most boundaries use this form; it costs less than the forms with parameters.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @preconcurrency
    public func wrap(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { restore(work) }
    }

    /// Returns a closure that runs `work` as the captured identity, on any thread, each time it is called.
    ///
    /// Wrapping twice is harmless: the inner snapshot, which was taken first, wins. To call work at once, use `restore`:
    /// asynchronous code that calls `wrap { }()` gets the asynchronous form, and has to await it.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @preconcurrency
    public func wrap<each Argument, Value>(
        _ work: @escaping @Sendable (repeat each Argument) -> Value
    ) -> @Sendable (repeat each Argument) -> Value {
        { (arguments: repeat each Argument) in restore { work(repeat each arguments) } }
    }

    /// Returns a closure that runs throwing `work` as the captured identity; its errors keep their type.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @preconcurrency
    public func wrap<each Argument, Value, Failure: Error>(
        _ work: @escaping @Sendable (repeat each Argument) throws(Failure) -> Value
    ) -> @Sendable (repeat each Argument) throws(Failure) -> Value {
        { (arguments: repeat each Argument) throws(Failure) -> Value in
            try restore { () throws(Failure) -> Value in try work(repeat each arguments) }
        }
    }

    /// Returns a closure that runs asynchronous `work` as the captured identity.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @inlinable
    public func wrap<Value>(
        _ work: @escaping @Sendable () async -> Value
    ) -> @Sendable () async -> Value {
        { () async -> Value in
            await restore { () async -> Value in await work() }
        }
    }

    /// Returns a closure that runs asynchronous, throwing `work` as the captured identity; its errors keep their type.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @inlinable
    public func wrap<Value, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) -> @Sendable () async throws(Failure) -> Value {
        { () async throws(Failure) -> Value in
            try await restore { () async throws(Failure) -> Value in try await work() }
        }
    }

    /// Returns a closure that runs asynchronous `work` on its argument as the captured identity.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @inlinable
    public func wrap<Argument, Value>(
        _ work: @escaping @Sendable (Argument) async -> Value
    ) -> @Sendable (Argument) async -> Value {
        { (argument: Argument) async -> Value in
            await restore { () async -> Value in await work(argument) }
        }
    }

    /// Returns a closure that runs asynchronous, throwing `work` on its argument as the captured identity; its errors keep their type.
    ///
    /// - Parameter work: The work.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    @inlinable
    public func wrap<Argument, Value, Failure: Error>(
        _ work: @escaping @Sendable (Argument) async throws(Failure) -> Value
    ) -> @Sendable (Argument) async throws(Failure) -> Value {
        { (argument: Argument) async throws(Failure) -> Value in
            try await restore { () async throws(Failure) -> Value in try await work(argument) }
        }
    }
}
