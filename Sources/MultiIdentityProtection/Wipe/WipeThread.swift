internal import Dispatch

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The threads on which a wipe does what blocks: its own.
///
/// Never on those that tasks share, nor on Dispatch's, all of which the work may hold that the wipe is to cut short.
enum WipeThread {
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
            let work = WipeThreadWork {
                if pace == .yielding { giveWay() }
                continuation.resume(returning: body())
            }
            work.start()
        }
    }

    // A tenth of what anybody else gets, and not nothing, so that a wipe comes to its end on a busy machine too. The
    // thread ends with its work, so that nobody has to raise it again.
    private static func giveWay() {
        #if canImport(Darwin)
        pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0)
        #elseif canImport(Musl)
        _ = setpriority(PRIO_PROCESS, 0, 10)
        #else
        // Of this thread alone, on Linux (source: setpriority(2), "C library/kernel differences").
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #endif
    }
}

/// Work that a new thread takes with it.
final class WipeThreadWork: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() { body() }

    /// Starts a thread that does it; where the system has none left, one of Dispatch's does.
    func start() {
        let argument = Unmanaged.passRetained(self)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let result = pthread_create(&thread, nil, runWork, argument.toOpaque())
        if result != 0 {
            argument.release()
            return DispatchQueue.global(qos: .background).async { self.run() }
        }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }
}

#if canImport(Darwin)
private func runWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<WipeThreadWork>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
#else
private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<WipeThreadWork>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
}
#endif
