import Dispatch
import Foundation

@testable import MultiIdentity

extension Boundary {
    /// Handlers of dispatch sources; what makes them run comes after they were set.
    static let sources = events + otherHandlers

    private static let events: [Boundary] = [
        event("timer", of: timer) { $0.schedule(deadline: .now()) },
        event("timer on a wall clock", of: timer) { $0.schedule(wallDeadline: .now()) },
        event("repeating timer", of: timer) { $0.schedule(deadline: .now(), repeating: .milliseconds(1)) },
        event("repeating timer on a wall clock", of: timer) { $0.schedule(wallDeadline: .now(), repeating: 0.001) },
        event("timer on main", on: .elsewhere, of: { _ in timer(.main) }) { $0.schedule(deadline: .now()) },
        event(
            "timer without a queue",
            on: .elsewhere,
            of: { _ in DispatchSource.makeTimerSource().propagatingIdentity },
            fire: { $0.schedule(deadline: .now()) }
        ),
        event(
            "user data, added",
            of: { DispatchSource.makeUserDataAddSource(queue: $0).propagatingIdentity },
            fire: { $0.add(data: 1) }
        ),
        event(
            "user data, or",
            of: { DispatchSource.makeUserDataOrSource(queue: $0).propagatingIdentity },
            fire: { $0.or(data: 1) }
        ),
        event(
            "user data, replaced",
            of: { DispatchSource.makeUserDataReplaceSource(queue: $0).propagatingIdentity },
            fire: { $0.replace(data: 1) }
        ),
        event("read", of: { readSource($0).propagatingIdentity }),
        event("write", of: { writeSource($0).propagatingIdentity }),
        event("signal", of: { DispatchSource.makeSignalSource(signal: SIGUSR1, queue: $0).propagatingIdentity }) {
            // Sent when it is watched for: before, it would be lost.
            $0.base.setRegistrationHandler { kill(getpid(), SIGUSR1) }
        },
    ]

    private static let otherHandlers: [Boundary] = [
        handler("event with QoS and flags") { source, work in
            source.setEventHandler(qos: .utility, flags: .enforceQoS) {
                work()
                source.cancel()
            }
            return { source.activate() }
        },
        handler("event of a source whose kind is not known") { source, work in
            let source = (source.base as any DispatchSourceProtocol).propagatingIdentity
            source.setEventHandler {
                work()
                source.cancel()
            }
            return { source.activate() }
        },
        handler("event by a work item", captured: .created) { source, work in
            source.setEventHandler(
                handler: .propagatingIdentity {
                    work()
                    source.cancel()
                }
            )
            return { source.activate() }
        },
        handler("event, set when active") { source, work in
            source.suspend()
            source.activate()
            source.setEventHandler {
                work()
                source.cancel()
            }
            return { source.resume() }
        },
        handler("cancel") { source, work in
            source.setCancelHandler(handler: work)
            return {
                source.activate()
                source.cancel()
            }
        },
        handler("cancel with QoS and flags") { source, work in
            source.setCancelHandler(qos: .utility, flags: .enforceQoS, handler: work)
            return {
                source.cancel()
                source.activate()
            }
        },
        handler("cancel by a work item", captured: .created) { source, work in
            source.setCancelHandler(handler: .propagatingIdentity(block: work))
            return {
                source.activate()
                source.base.cancel()
            }
        },
        handler("registration") { source, work in
            source.setRegistrationHandler {
                work()
                source.cancel()
            }
            return { source.activate() }
        },
        handler("registration with QoS and flags") { source, work in
            source.setRegistrationHandler(qos: .utility, flags: .enforceQoS) {
                work()
                source.cancel()
            }
            return { source.resume() }
        },
        handler("registration by a work item", captured: .created) { source, work in
            source.setRegistrationHandler(
                handler: .propagatingIdentity {
                    work()
                    source.cancel()
                }
            )
            return { source.activate() }
        },
    ]

    /// An event handler, which runs once: it cancels the source that it is set on.
    private static func event<Base>(
        _ name: String,
        on worker: Worker = .queue,
        of make: @escaping @Sendable (DispatchQueue) -> IdentitySource<Base>,
        fire: @escaping @Sendable (IdentitySource<Base>) -> Void = { _ in }
    ) -> Boundary {
        Boundary("source: \(name)", on: worker, captured: .registered) { queue, work in
            let source = make(queue)
            source.setEventHandler {
                work()
                source.cancel()
            }
            return {
                fire(source)
                source.activate()
            }
        }
    }

    /// A handler of a timer that fires at once when it is active.
    private static func handler(
        _ name: String,
        captured: CapturePoint = .registered,
        prepare: @escaping @Sendable (IdentitySource<any DispatchSourceTimer>, @escaping Work) -> Work
    ) -> Boundary {
        Boundary("source: \(name)", on: .queue, captured: captured) { queue, work in
            let source = timer(queue)
            source.schedule(deadline: .now())
            source.base.setEventHandler {}
            return prepare(source, work)
        }
    }

    @Sendable private static func timer(_ queue: DispatchQueue) -> IdentitySource<any DispatchSourceTimer> {
        DispatchSource.makeTimerSource(queue: queue).propagatingIdentity
    }

    private static func readSource(_ queue: DispatchQueue) -> any DispatchSourceRead {
        let pipe = TestPipe(holding: [1])
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.readEnd, queue: queue)
        source.setCancelHandler { pipe.close() }
        return source
    }

    private static func writeSource(_ queue: DispatchQueue) -> any DispatchSourceWrite {
        let pipe = TestPipe()
        let source = DispatchSource.makeWriteSource(fileDescriptor: pipe.writeEnd, queue: queue)
        source.setCancelHandler { pipe.close() }
        return source
    }
}
