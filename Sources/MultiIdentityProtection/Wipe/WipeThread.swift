import CSystemCalls
internal import Dispatch

/// A thread of a wipe's own, for what blocks.
///
/// Never one of those that tasks share, nor one of Dispatch's, all of which the work may hold that the wipe is to cut short.
final class WipeThread: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Starts it; where the system has no thread left, one of Dispatch's does the work.
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

    /// Runs something short, as writing to a journal.
    static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await yielding(.unhindered, body)
    }

    /// Runs something long, on a thread that gives way to whatever else wants to run.
    static func yielding<Value: Sendable>(
        _ pace: WipePace,
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = WipeThread {
                // The thread ends with its work, so that nobody has to raise it again.
                if pace == .yielding { sys_give_way() }
                continuation.resume(returning: body())
            }
            thread.start()
        }
    }
}

/// The share of the machine that a wipe uses while it walks through files.
public enum WipePace: Hashable, Sendable {
    /// The wipe works at most one thirty-second of the time and yields to other work, for programs that serve others
    /// meanwhile.
    case yielding
    /// The wipe runs as fast as it can.
    case unhindered
}
