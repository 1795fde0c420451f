/// Hands a handler's blocking work over to threads that may block: the one thing that `--unsafe-plain-dispatch`
/// changes.
protocol WorkHandover: Sendable {
    /// Runs `work` on a thread that may block, and answers what it returns.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
}
