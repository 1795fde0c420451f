import CSystemCalls
internal import Dispatch

/// A thread for the blocking work of a wipe.
///
/// It is not a thread of the task pool or of Dispatch, because the work that the wipe must end may block all of those.
final class WipeThread: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Starts the thread; if the system has none left, a Dispatch thread does the work.
    func start() {
        let argument = Unmanaged.passRetained(self)
        let error = sys_start_thread(
            { argument in
                if let argument { Unmanaged<WipeThread>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            },
            argument.toOpaque()
        )
        if error == 0 { return }
        argument.release()
        DispatchQueue.global(qos: .background).async { self.body() }
    }

    /// Runs short work, such as writing to a journal.
    static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await run(yields: false, body)
    }

    /// Runs long work on a thread that yields to all other work.
    static func run<Value: Sendable>(
        yields: Bool,
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = WipeThread {
                // The thread ends with its work, so its priority need not be raised again.
                if yields { sys_give_way() }
                continuation.resume(returning: body())
            }
            thread.start()
        }
    }
}
