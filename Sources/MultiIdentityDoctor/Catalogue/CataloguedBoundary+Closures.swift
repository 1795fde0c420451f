import Dispatch
import Foundation
import MultiIdentity

extension CataloguedBoundary {
    /// Closures and C functions that any API calls, here by a plain queue and by a thread of the C library.
    static let closures: [CataloguedBoundary] = [
        wrapped("any closure", at: .dispatched, on: .queue) { $0.queue.async(execute: $1) },
        wrapped("any closure, on a thread", at: .started, on: .elsewhere, .variant) { Thread.detachNewThread($1) },
        wrapped("any closure, called", at: .performed, on: .caller, .variant) { $1() },
        restored("any closure, restored on a thread") { crossing, snapshot in
            let work = crossing.work
            Thread.detachNewThread { crossing.carries ? snapshot.restore(work) : work() }
        },
        restored("any closure, restored in a detached task") { crossing, snapshot in
            let work = crossing.work
            Task.detached { if crossing.carries { await snapshot.restore { () async in work() } } else { work() } }
        }.costing("snapshot-restore-async"),
        restored("any closure, restored in a detached task that waits") { crossing, snapshot in
            let work = crossing.work
            let waiting: @Sendable () async -> Void = {
                await Task.yield()
                work()
            }
            Task.detached { crossing.carries ? await snapshot.restore(waiting) : await waiting() }
        },
        CataloguedBoundary("a C callback", .closures, captured: .created, on: .elsewhere, as: "IdentityCallback") {
            crossing in
            let work = crossing.work
            let context = crossing.at(.created) {
                crossing.carries
                    ? IdentityCallback<Void, Void> { work() }.retainedContext()
                    : Unmanaged.passRetained(Callback(work)).toOpaque()
            }
            crossing.then(.called) { crossing.callBack(context, crossing.carries ? Callback.ofOurs : Callback.plain) }
        },
    ]

    /// The spelling of a row whose plain call is given a wrapped closure.
    static let wrapping = "IdentitySnapshot.capture().wrap { }"

    private static func wrapped(
        _ name: String,
        at moment: Moment,
        on worker: Worker,
        _ traits: Traits = [],
        _ handOver: @escaping @Sendable (any BoundaryCrossing, @escaping @Sendable () -> Void) -> Void
    ) -> CataloguedBoundary {
        CataloguedBoundary(
            name,
            .closures,
            captured: .created,
            on: worker,
            as: wrapping,
            traits.union(.reusable)
        ) { crossing in
            let work = crossing.at(.created) { crossing.wrappedWork }
            crossing.then(moment) { handOver(crossing, work) }
        }
    }

    private static func restored(
        _ name: String,
        _ handOver: @escaping @Sendable (any BoundaryCrossing, IdentitySnapshot) -> Void
    ) -> CataloguedBoundary {
        let spelling = "snapshot.restore { }"
        return CataloguedBoundary(
            name,
            .closures,
            captured: .called,
            on: .elsewhere,
            as: spelling,
            .variant
        ) { crossing in
            crossing.at(.called) { handOver(crossing, .capture()) }
        }
    }
}

private final class Callback: Sendable {
    #if canImport(Darwin)
    typealias Routine = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    #else
    typealias Routine = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    #endif

    static let plain: Routine = { context in
        let context: UnsafeMutableRawPointer? = context
        if let context { Unmanaged<Callback>.fromOpaque(context).takeRetainedValue().work() }
        return nil
    }

    static let ofOurs: Routine = { context in
        IdentityCallback<Void, Void>.callOnce(context)
        return nil
    }

    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

extension BoundaryCrossing {
    /// The work, wrapped here where the crossing carries.
    var wrappedWork: @Sendable () -> Void { carries ? IdentitySnapshot.capture().wrap(work) : work }

    /// Makes the C library call `routine` with `context`, on a new thread.
    fileprivate func callBack(_ context: UnsafeMutableRawPointer, _ routine: Callback.Routine) {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        guard pthread_create(&thread, nil, routine, context) == 0 else { return refuse("no thread could be started") }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }
}
