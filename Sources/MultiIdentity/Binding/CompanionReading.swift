import CMultiIdentity

/// Runs the closures that read or bind a companion.
///
/// Work that they hand over carries no companions: capturing them would call the closures again, without end.
enum CompanionReading: Sendable {
    /// For asynchronous closures, which may change threads.
    @TaskLocal private static var isInTask = false

    /// The key of the task-local that says so.
    static var key: UnsafeRawPointer { UnsafeRawPointer(Borrowed($isInTask).address) }

    /// True while such a closure runs; captures check it, and the first one in a process logs a message.
    static var isHere: Bool { (mi_thread_current().pointee.in_companions_closure || isInTask) && said }

    private static let said = {
        var text = "MultiIdentity: A closure of a companion hands work over, which therefore carries no companions.\n"
        text.withUTF8 { mi_write_error($0.baseAddress, $0.count) }
        return true
    }()

    /// Runs such a closure or, with `false`, the work that a closure calls.
    static func run<Value>(_ isRunning: Bool = true, _ body: () -> Value) -> Value {
        let thread = mi_thread_current()
        let outer = thread.pointee.in_companions_closure
        thread.pointee.in_companions_closure = isRunning
        defer { thread.pointee.in_companions_closure = outer }
        return body()
    }

    static func run(
        _ isRunning: Bool = true,
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await $isInTask.withValue(isRunning) {
            _ = isolation  // otherwise the closure would leave the actor
            await body()
        }
    }
}
