import Dispatch
import Foundation
import MultiIdentity
import Observation

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
        Boundary("handler of an escalated priority", on: .elsewhere, captured: .registered) { _, work in
            let hasRun = Gate()
            let task = Task.immediate(priority: .low) {
                await Task.propagatingIdentity.withPriorityEscalationHandler {
                    await hasRun.wait()
                } onPriorityEscalated: { _, _ in
                    work()
                    hasRun.open()
                }
            }
            return { setOff { task.escalatePriority(to: .high) } }
        },
        Boundary("handler of an observed change", on: .elsewhere, captured: .registered) { _, work in
            let registrar = ObservationRegistrar()
            let observed = ObservedByBoundary()
            withIdentityObservationTracking {
                registrar.access(observed, keyPath: \.value)
            } onChange: {
                work()
            }
            return { setOff { registrar.withMutation(of: observed, keyPath: \.value) {} } }
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
        Boundary("element of a sequence", on: .elsewhere, captured: .created) { _, work in
            let elements = AsyncStream<Never> {
                work()
                return nil
            }.propagatingIdentity
            return { setOff { Task { for await _ in elements {} } } }
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

private final class ObservedByBoundary: Observable, Sendable {
    var value: Int { 0 }
}
