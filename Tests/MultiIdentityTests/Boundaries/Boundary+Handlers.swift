import Dispatch
import Foundation
import MultiIdentity

extension Boundary {
    /// Handlers that somebody else sets off: here another user, from a thread of its own.
    static let handlers: [Boundary] = [
        Boundary("cancellation handler", on: .elsewhere, captured: .registered) { _, work in
            let hasRun = Gate()
            let task = Task.immediate {
                await Task.propagatingIdentity.withCancellationHandler {
                    await hasRun.wait()
                } onCancel: {
                    work()
                    hasRun.open()
                }
            }
            return { setOff { task.cancel() } }
        },
        Boundary("termination of a stream that is finished", on: .elsewhere, captured: .registered) { _, work in
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            continuation.propagatingIdentity.onTermination = { _ in work() }
            return { setOff { withExtendedLifetime(stream) { continuation.finish() } } }
        },
        Boundary("termination of a throwing stream that fails", on: .elsewhere, captured: .registered) { _, work in
            let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
            continuation.propagatingIdentity.onTermination = { _ in work() }
            return { setOff { withExtendedLifetime(stream) { continuation.finish(throwing: CancellationError()) } } }
        },
        Boundary("callback of a C function that calls once", on: .elsewhere, captured: .created) { _, work in
            let context = Carried(IdentityCallback { (_: Void) in work() }.retainedContext())
            return { setOff { CThread.start(context.value, callOnce) } }
        },
    ]

    private static let callOnce: CThread.Body = { context in
        IdentityCallback<Void, Void>.callOnce(context)
        return nil
    }

    private static func setOff(_ body: @escaping @Sendable () -> Void) {
        let somebodyElse = try? Identity("somebody.else@contoso.com")
        Thread.detachNewThread { withIdentity(somebodyElse, body) }
    }
}
