import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityTesting

extension PlainBoundary {
    /// Handlers of sources, captured when they are set.
    static let sources: [PlainBoundary] = [
        handler("event of a timer") { source, work in
            source.value.setEventHandler {
                work()
                source.value.cancel()
            }
            return { source.value.activate() }
        },
        handler("event with QoS and flags") { source, work in
            source.value.setEventHandler(qos: .utility, flags: .enforceQoS) {
                work()
                source.value.cancel()
            }
            return { source.value.activate() }
        },
        handler("event by a work item", captured: .created) { source, work in
            source.value.setEventHandler(
                handler: DispatchWorkItem {
                    work()
                    source.value.cancel()
                }
            )
            return { source.value.activate() }
        },
        handler("cancel") { source, work in
            source.value.setCancelHandler(handler: work)
            return {
                source.value.activate()
                source.value.cancel()
            }
        },
        handler("cancel by a work item", captured: .created) { source, work in
            source.value.setCancelHandler(handler: DispatchWorkItem(block: work))
            return {
                source.value.activate()
                source.value.cancel()
            }
        },
        handler("registration") { source, work in
            source.value.setRegistrationHandler {
                work()
                source.value.cancel()
            }
            return { source.value.activate() }
        },
        PlainBoundary("source: user data", on: .queue, captured: .registered) { queue, work in
            let source = Carried(DispatchSource.makeUserDataAddSource(queue: queue))
            source.value.setEventHandler {
                work()
                source.value.cancel()
            }
            return {
                source.value.add(data: 1)
                source.value.activate()
            }
        },
        PlainBoundary("source: read", on: .queue, captured: .registered) { queue, work in
            let pipe = Pipe()
            pipe.fileHandleForWriting.write(Data([1]))
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            let source = Carried(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue))
            let kept = Carried(pipe)
            source.value.setEventHandler {
                work()
                source.value.cancel()
            }
            withIdentity(nil) { source.value.setCancelHandler { withExtendedLifetime(kept) {} } }
            return { source.value.activate() }
        },
    ]

    /// A handler of a timer that fires at once when it is active.
    private static func handler(
        _ name: String,
        captured: BoundaryConformance.CapturePoint = .registered,
        prepare: @escaping @Sendable (Carried<any DispatchSourceTimer>, @escaping Work) -> Work
    ) -> PlainBoundary {
        PlainBoundary("source: \(name)", on: .queue, captured: captured) { queue, work in
            let source = Carried(DispatchSource.makeTimerSource(queue: queue))
            source.value.schedule(deadline: .now())
            withIdentity(nil) { source.value.setEventHandler {} }
            return prepare(source, work)
        }
    }
}
