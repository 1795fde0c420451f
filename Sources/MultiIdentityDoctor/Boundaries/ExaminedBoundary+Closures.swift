import Dispatch
import Foundation
import MultiIdentity

extension ExaminedBoundary {
    /// Closures and C functions that are called by whatever API, here by a plain queue and by a thread of the C library.
    static let closures: [ExaminedBoundary] = [
        ExaminedBoundary("any closure", .closures, captured: .created, as: "IdentitySnapshot.capture().wrap { }") {
            crossing in
            let work = crossing.at(.created) { crossing.work }
            crossing.at(.dispatched) { crossing.queue.async(execute: work) }
        } carried: { crossing in
            let work: @Sendable () -> Void = crossing.at(.created) { IdentitySnapshot.capture().wrap(crossing.work) }
            crossing.at(.dispatched) { crossing.queue.async(execute: work) }
        },
        ExaminedBoundary("a C callback", .closures, captured: .created, as: "IdentityCallback") { crossing in
            let callback = crossing.at(.created) { Callback(crossing.work) }
            let context = Unmanaged.passRetained(callback).toOpaque()
            crossing.at(.called) {
                crossing.callBack(context) { context in
                    if let context { Unmanaged<Callback>.fromOpaque(context).takeRetainedValue().work() }
                    return nil
                }
            }
        } carried: { crossing in
            let context = crossing.at(.created) { IdentityCallback<Void, Void> { crossing.work() }.retainedContext() }
            crossing.at(.called) {
                crossing.callBack(context) { context in
                    IdentityCallback<Void, Void>.callOnce(context)
                    return nil
                }
            }
        },
    ]
}

private final class Callback: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

extension Crossing {
    #if canImport(Darwin)
    fileprivate typealias Routine = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    #else
    fileprivate typealias Routine = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    #endif

    /// Has the C library call `routine` with `context`, on a thread of its own.
    fileprivate func callBack(_ context: UnsafeMutableRawPointer, _ routine: Routine) {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        guard pthread_create(&thread, nil, routine, context) == 0 else { return refuse("no thread could be started") }
        let started = Held(thread)
        #if canImport(Darwin)
        afterwards { if let thread = started.value { pthread_join(thread, nil) } }
        #else
        afterwards { pthread_join(started.value, nil) }
        #endif
    }
}
