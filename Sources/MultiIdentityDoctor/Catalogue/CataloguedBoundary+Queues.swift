import Dispatch
import MultiIdentity

extension CataloguedBoundary {
    /// The methods of a dispatch queue.
    static let queues = asynchronous + delayed + synchronous + mainQueue + inBatches + fairly

    private static let asynchronous: [CataloguedBoundary] = [
        queue("queue.async") { $0.async(execute: $1) }.taking(#"DispatchQueue\.async\(group:.*"#).costing("async"),
        CataloguedBoundary(
            "queue.async, with a group",
            .queues,
            captured: .dispatched,
            on: .queue,
            as: "IdentityQueue"
        ) { crossing in
            let (queue, group) = (crossing.workQueue, crossing.shared.group ?? DispatchGroup())
            crossing.at(.dispatched) { queue.async(group: group, execute: crossing.work) }
        }.costing("async-group"),
        queue("queue.async, with a QoS") { $0.async(qos: .utility, execute: $1) },
        queue("queue.async, with the default QoS", .variant) { $0.async(qos: .default, execute: $1) },
        queue("queue.async, with the user's QoS", .variant) { $0.async(qos: .userInitiated, execute: $1) },
        queue("queue.async, with the highest QoS", .variant) { $0.async(qos: .userInteractive, execute: $1) },
        queue("queue.async, with flags") { $0.async(flags: [.assignCurrentContext, .enforceQoS], execute: $1) },
        queue("queue.async, with the context assigned", .variant) {
            $0.async(flags: .assignCurrentContext, execute: $1)
        },
        queue("queue.async, detached", .variant) { $0.async(flags: [.detached, .enforceQoS], execute: $1) },
        queue("queue.async, with everything", .variant) {
            $0.async(group: DispatchGroup(), qos: .background, flags: [.barrier, .noQoS], execute: $1)
        },
        queue("queue.async, as a barrier") { $0.async(flags: .barrier, execute: $1) },
        crossing("queue.async, on a queue that targets another") { crossing in
            WorkQueue.new(crossing, target: crossing.queue).async(execute: crossing.work)
        },
        crossing("queue.async, on a queue that was inactive") { crossing in
            let queue = WorkQueue.new(crossing, .initiallyInactive, target: crossing.queue)
            queue.async(execute: crossing.work)
            queue.base.activate()
        },
        crossing("queue.async, on a concurrent queue", on: .elsewhere) { crossing in
            WorkQueue.new(crossing, .concurrent).async(execute: crossing.work)
        }.costing("async-concurrent"),
        crossing("queue.async, as a barrier on a concurrent queue", on: .elsewhere) { crossing in
            WorkQueue.new(crossing, .concurrent).async(flags: .barrier, execute: crossing.work)
        },
        crossing("queue.async, on a global queue", on: .elsewhere) { crossing in
            crossing.carries
                ? IdentityQueue.global(qos: .utility).async(execute: crossing.work)
                : DispatchQueue.global(qos: .utility).async(execute: crossing.work)
        },
    ]

    private static let delayed: [CataloguedBoundary] = [
        queue("queue.asyncAfter(deadline:)") { $0.asyncAfter(deadline: .now(), execute: $1) }.taking(
            #"DispatchQueue\.asyncAfter\(.*"#
        ).costing("async-after"),
        queue("queue.asyncAfter(deadline:), later", .variant) {
            $0.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        queue("queue.asyncAfter(deadline:), with QoS and flags", .variant) {
            $0.asyncAfter(deadline: .now(), qos: .utility, flags: .barrier, execute: $1)
        },
        queue("queue.asyncAfter(wallDeadline:)") { $0.asyncAfter(wallDeadline: .now(), execute: $1) },
        queue("queue.asyncAfter(wallDeadline:), later", .variant) {
            $0.asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
        },
        queue("queue.asyncAfter(wallDeadline:), with QoS and flags", .variant) {
            $0.asyncAfter(wallDeadline: .now(), qos: .utility, flags: .barrier, execute: $1)
        },
    ]

    // No other flag than a barrier: plain `DispatchQueue.sync(flags:)` stops the program on any other on Linux (6.3.1).
    private static let synchronous: [CataloguedBoundary] = [
        queue("queue.sync", on: .caller) { $0.sync(execute: $1) }.taking(#"DispatchQueue\.sync\(.*"#).costing("sync"),
        queue("queue.sync, as a barrier", on: .caller) { $0.sync(flags: .barrier, execute: $1) },
        queue("queue.sync, with no flags", on: .caller, .variant) { $0.sync(flags: [], execute: $1) },
        crossing("queue.sync, on a concurrent queue", on: .caller, .reentrant) { crossing in
            WorkQueue.new(crossing, .concurrent).sync(execute: crossing.work)
        },
        crossing("queue.sync, through a queue that targets another", on: .caller) { crossing in
            WorkQueue.new(crossing, target: crossing.queue).sync(execute: crossing.work)
        },
        crossing("queue.sync, within sync", on: .caller) { crossing in
            let (queue, work) = (crossing.workQueue, crossing.work)
            WorkQueue.new(crossing).sync { queue.sync(execute: work) }
        },
        crossing("queue.sync, that throws", on: .caller) { crossing in
            struct Thrown: Error {}
            let work = crossing.work
            func thrown() throws(Thrown) {
                work()
                throw Thrown()
            }
            if crossing.carries {
                try? IdentityQueue(wrapping: crossing.queue).sync(execute: thrown)
            } else {
                try? crossing.queue.sync(execute: thrown)
            }
        },
        asyncAndWait,
        CataloguedBoundary(
            "DispatchQueue.concurrentPerform",
            .queues,
            captured: .dispatched,
            on: .elsewhereAwaited,
            as: "IdentityQueue.concurrentPerform"
        ) { crossing in
            let meeting = Meeting(on: crossing)
            crossing.at(.dispatched) { perform(crossing, Meeting.iterations) { _ in meeting.attend() } }
        }.taking(#"DispatchQueue\.concurrentPerform\(.*"#).costing("concurrent-perform"),
        crossing("DispatchQueue.concurrentPerform, on the calling thread", on: .caller, .reentrant) { crossing in
            perform(crossing, 1) { _ in crossing.work() }
        },
        CataloguedBoundary(
            "queue.async, on a queue that was given",
            .queues,
            captured: .dispatched,
            on: .queue,
            as: "queue.propagatingIdentity.async { }"
        ) { crossing in
            let (queue, work) = (crossing.queue, crossing.work)
            crossing.at(.dispatched) {
                crossing.carries ? queue.propagatingIdentity.async(execute: work) : queue.async(execute: work)
            }
        }.costing("async-given"),
    ]

    /// The main queue, which has to be drained by the program: in tests by a worker or the main thread.
    private static let mainQueue: [CataloguedBoundary] = [
        main("DispatchQueue.main.async") { $0.async(execute: $1) }.costing("async-main"),
        main("DispatchQueue.main.async, with everything", .variant) {
            $0.async(group: DispatchGroup(), qos: .utility, flags: .enforceQoS, execute: $1)
        },
        crossing("DispatchQueue.main.async, on its view", on: .elsewhere) { crossing in
            crossing.carries
                ? DispatchQueue.main.propagatingIdentity.async(execute: crossing.work)
                : DispatchQueue.main.async(execute: crossing.work)
        },
        crossing("DispatchQueue.main.async, through a queue that targets it", on: .elsewhere) { crossing in
            WorkQueue.new(crossing, target: .main).async(execute: crossing.work)
        },
        main("DispatchQueue.main.asyncAfter") { $0.asyncAfter(deadline: .now(), execute: $1) },
        main("DispatchQueue.main.asyncAfter, later", .variant) {
            $0.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        main("DispatchQueue.main.asyncAfter, on a wall clock", .variant) {
            $0.asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
        },
        main("DispatchQueue.main.sync", on: .elsewhereAwaited) { $0.sync(execute: $1) }.crossedAlone(
            because: "crossed in turn with DispatchQueue.main.async, where the caller holds no queue"
        ),
        main("DispatchQueue.main.sync, as a barrier", on: .elsewhereAwaited, .variant) {
            $0.sync(flags: .barrier, execute: $1)
        },
        crossing("DispatchQueue.main.sync, through a queue that targets it", on: .elsewhereAwaited) { crossing in
            WorkQueue.new(crossing, target: .main).sync(execute: crossing.work)
        },
    ]

    /// A queue that drains its work in batches; it runs its work on the crossing's.
    private static let inBatches: [CataloguedBoundary] = [
        batched("async") { $0.async(execute: $1) }.costing("async-batched"),
        batched("async, among others' work") { queue, work in
            let others = [try? Identity("one@contoso.com"), nil, .nobody, try? Identity("other@contoso.com")]
            if case .carrying(let queue) = queue { queue.suspend() }
            for other in others { withIdentity(other) { queue.async {} } }
            queue.async(execute: work)
            for other in others { withIdentity(other) { queue.async {} } }
            if case .carrying(let queue) = queue { queue.resume() }
        },
        batched("async, as a barrier") { $0.async(flags: .barrier, execute: $1) },
        batched("async, with a group") { $0.async(group: DispatchGroup(), execute: $1) },
        batched("async, with everything") {
            $0.async(group: DispatchGroup(), qos: .background, flags: [.barrier, .enforceQoS], execute: $1)
        },
        batched("asyncAfter(deadline:)") { $0.asyncAfter(deadline: .now(), execute: $1) },
        batched("asyncAfter(deadline:), later") { $0.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1) },
        batched("asyncAfter(wallDeadline:)") { $0.asyncAfter(wallDeadline: .now(), execute: $1) },
        batched("asyncAfter(wallDeadline:), later") {
            $0.asyncAfter(wallDeadline: .now() + .milliseconds(1), qos: .utility, execute: $1)
        },
        batched("sync", on: .caller) { $0.sync(execute: $1) },
        batched("sync, as a barrier", on: .caller) { $0.sync(flags: .barrier, execute: $1) },
        crossing("batches.sync, onto main", on: .elsewhereAwaited) { crossing in
            WorkQueue.batched(crossing, on: .main).sync(execute: crossing.work)
        },
        crossing("batches.async, onto main", on: .elsewhere) { crossing in
            WorkQueue.batched(crossing, on: .main).async(execute: crossing.work)
        },
    ]

    /// A fair queue; it runs its work on the crossing's.
    private static let fairly: [CataloguedBoundary] = [
        fair("async") { $0.async(execute: $1) }.costing("async-fair"),
        fair("async, with everything") {
            $0.async(group: DispatchGroup(), qos: .background, flags: [.barrier, .enforceQoS], execute: $1)
        },
        fair("asyncAfter(deadline:), later") { $0.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1) },
        fair("sync", on: .caller) { $0.sync(execute: $1) },
        fair("sync, as a barrier", on: .caller) { $0.sync(flags: .barrier, execute: $1) },
        crossing("fair.async, onto main", on: .elsewhere) { crossing in
            WorkQueue.fair(crossing, on: .main).async(execute: crossing.work)
        },
    ]

    // MARK: Kinds

    /// A call on a queue: on the crossing's, if nothing else is said.
    private static func queue(
        _ name: String,
        on worker: Worker = .queue,
        _ traits: Traits = [],
        as spelling: String = "IdentityQueue",
        through queue: @escaping @Sendable (any BoundaryCrossing) -> WorkQueue = { $0.workQueue },
        _ handOver: @escaping @Sendable (WorkQueue, @escaping WorkQueue.Work) -> Void
    ) -> CataloguedBoundary {
        CataloguedBoundary(name, .queues, captured: .dispatched, on: worker, as: spelling, traits) { crossing in
            let queue = queue(crossing)
            crossing.at(.dispatched) { handOver(queue, crossing.work) }
        }
    }

    private static func main(
        _ name: String,
        on worker: Worker = .elsewhere,
        _ traits: Traits = [],
        _ handOver: @escaping @Sendable (WorkQueue, @escaping WorkQueue.Work) -> Void
    ) -> CataloguedBoundary {
        queue(name, on: worker, traits, as: "IdentityQueue.main", through: { .main($0) }, handOver)
    }

    private static func batched(
        _ name: String,
        on worker: Worker = .queue,
        _ handOver: @escaping @Sendable (WorkQueue, @escaping WorkQueue.Work) -> Void
    ) -> CataloguedBoundary {
        queue("batches.\(name)", on: worker, .variant, through: { .batched($0, on: $0.queue) }, handOver)
    }

    private static func fair(
        _ name: String,
        on worker: Worker = .queue,
        _ handOver: @escaping @Sendable (WorkQueue, @escaping WorkQueue.Work) -> Void
    ) -> CataloguedBoundary {
        queue("fair.\(name)", on: worker, .variant, through: { .fair($0, on: $0.queue) }, handOver)
    }

    /// A custom variant.
    private static func crossing(
        _ name: String,
        on worker: Worker = .queue,
        _ traits: Traits = [],
        _ handOver: @escaping Way
    ) -> CataloguedBoundary {
        let (spelling, traits) = ("IdentityQueue", traits.union(.variant))
        return CataloguedBoundary(name, .queues, captured: .dispatched, on: worker, as: spelling, traits) {
            crossing in
            crossing.at(.dispatched) { handOver(crossing) }
        }
    }

    private static func perform(
        _ crossing: any BoundaryCrossing,
        _ iterations: Int,
        _ work: @Sendable (Int) -> Void
    ) {
        crossing.carries
            ? IdentityQueue.concurrentPerform(iterations: iterations, execute: work)
            : DispatchQueue.concurrentPerform(iterations: iterations, execute: work)
    }

    private static var asyncAndWait: CataloguedBoundary {
        #if canImport(Darwin)
        CataloguedBoundary(
            "queue.asyncAndWait",
            .queues,
            captured: .dispatched,
            on: .caller,
            as: "IdentityQueue"
        ) { crossing in
            crossing.at(.dispatched) {
                crossing.carries
                    ? IdentityQueue(wrapping: crossing.queue).asyncAndWait(execute: crossing.work)
                    : crossing.queue.asyncAndWait(execute: crossing.work)
            }
        }
        #else
        CataloguedBoundary("queue.asyncAndWait", .queues, missing: "Dispatch on this system has no such method")
        #endif
    }
}
