import Dispatch
import MultiIdentity

extension ExaminedBoundary {
    /// The methods of a dispatch queue.
    static let queues: [ExaminedBoundary] =
        [
            queue("queue.async") {
                $0.async(execute: $1)
            } carried: {
                $0.async(execute: $1)
            },
            queue("queue.async, with a group") {
                $0.async(group: DispatchGroup(), execute: $1)
            } carried: {
                $0.async(group: DispatchGroup(), execute: $1)
            },
            queue("queue.async, with a QoS") {
                $0.async(qos: .utility, execute: $1)
            } carried: {
                $0.async(qos: .utility, execute: $1)
            },
            queue("queue.async, with flags") {
                $0.async(flags: [.assignCurrentContext, .enforceQoS], execute: $1)
            } carried: {
                $0.async(flags: [.assignCurrentContext, .enforceQoS], execute: $1)
            },
            queue("queue.async, as a barrier") {
                $0.async(flags: .barrier, execute: $1)
            } carried: {
                $0.async(flags: .barrier, execute: $1)
            },
            queue("queue.asyncAfter(deadline:)") {
                $0.asyncAfter(deadline: .now(), execute: $1)
            } carried: {
                $0.asyncAfter(deadline: .now(), execute: $1)
            },
            queue("queue.asyncAfter(wallDeadline:)") {
                $0.asyncAfter(wallDeadline: .now(), execute: $1)
            } carried: {
                $0.asyncAfter(wallDeadline: .now(), execute: $1)
            },
            queue("queue.sync") {
                $0.sync(execute: $1)
            } carried: {
                $0.sync(execute: $1)
            }.awaited,
            queue("queue.sync, as a barrier") {
                $0.sync(flags: .barrier, execute: $1)
            } carried: {
                $0.sync(flags: .barrier, execute: $1)
            }.awaited,
            asyncAndWait,
            concurrentPerform.awaited,
            ExaminedBoundary(
                "queue.async, on a queue that was given",
                .queues,
                captured: .dispatched,
                as: "queue.propagatingIdentity.async { }"
            ) { crossing in
                crossing.at(.dispatched) { crossing.queue.async(execute: crossing.work) }
            } carried: { crossing in
                crossing.at(.dispatched) { crossing.queue.propagatingIdentity.async(execute: crossing.work) }
            },
        ] + mainQueue

    private static func queue(
        _ name: String,
        plain: @escaping @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void,
        carried: @escaping @Sendable (IdentityQueue, @escaping @Sendable () -> Void) -> Void
    ) -> ExaminedBoundary {
        ExaminedBoundary(name, .queues, captured: .dispatched, as: "IdentityQueue") { crossing in
            crossing.at(.dispatched) { plain(crossing.queue, crossing.work) }
        } carried: { crossing in
            crossing.at(.dispatched) { carried(IdentityQueue(wrapping: crossing.queue), crossing.work) }
        }
    }

    private static var asyncAndWait: ExaminedBoundary {
        #if canImport(Darwin)
        queue("queue.asyncAndWait") {
            $0.asyncAndWait(execute: $1)
        } carried: {
            $0.asyncAndWait(execute: $1)
        }.awaited
        #else
        ExaminedBoundary("queue.asyncAndWait", .queues, missing: "Dispatch on this system has no such method")
        #endif
    }

    private static let concurrentPerform = ExaminedBoundary(
        "DispatchQueue.concurrentPerform",
        .queues,
        captured: .dispatched,
        as: "IdentityQueue.concurrentPerform"
    ) { crossing in
        let meeting = Meeting(on: crossing)
        crossing.at(.dispatched) {
            DispatchQueue.concurrentPerform(iterations: Meeting.iterations) { _ in meeting.attend(crossing.work) }
        }
    } carried: { crossing in
        let meeting = Meeting(on: crossing)
        crossing.at(.dispatched) {
            IdentityQueue.concurrentPerform(iterations: Meeting.iterations) { _ in meeting.attend(crossing.work) }
        }
    }

    /// The main queue, which has to be drained by the program.
    private static let mainQueue: [ExaminedBoundary] = [
        main("DispatchQueue.main.async") {
            $0.async(execute: $1)
        } carried: {
            $0.async(execute: $1)
        },
        main("DispatchQueue.main.asyncAfter") {
            $0.asyncAfter(deadline: .now(), execute: $1)
        } carried: {
            $0.asyncAfter(deadline: .now(), execute: $1)
        },
        main("DispatchQueue.main.sync") {
            $0.sync(execute: $1)
        } carried: {
            $0.sync(execute: $1)
        }.awaited,
    ]

    private static func main(
        _ name: String,
        plain: @escaping @Sendable (DispatchQueue, @escaping @Sendable () -> Void) -> Void,
        carried: @escaping @Sendable (IdentityMainQueue, @escaping @Sendable () -> Void) -> Void
    ) -> ExaminedBoundary {
        ExaminedBoundary(name, .queues, captured: .dispatched, as: "IdentityQueue.main") { crossing in
            crossing.at(.dispatched) { plain(.main, crossing.work) }
        } carried: { crossing in
            crossing.at(.dispatched) { carried(IdentityQueue.main, crossing.work) }
        }
    }
}
