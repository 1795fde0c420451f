/// Hands a handler's blocking work over to threads that may block.
public protocol WorkHandover: Sendable {
    /// Runs `work` on a thread that may block, and returns its result.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
}
