import CMultiIdentity
import Dispatch

/// Answers whether code runs on main: the system's probe, unless a test or a host has a custom one.
///
/// The system's main is the main thread, and the work of the main dispatch queue and the main actor (on Linux, a worker thread
/// may run it), including work that it runs through ``IdentityQueue/sync(execute:)->_``. It never needs a main run loop, or
/// that the main dispatch queue is processed: a replaced main executor's code is on main too.
package struct MainProbe: Sendable {
    /// In a struct, so that a lock returns it without an allocation.
    let isOnMain: @Sendable () -> Bool

    package static func system() -> Bool {
        mi_thread_is_main() || mi_thread_current().pointee.main_bodies > 0 || isOnMainQueue || mi_main_actor_runs()
    }

    /// True if a body that this thread runs in a `sync` would not see that its caller is on main: only the main queue shows
    /// that, and the body is on another queue.
    static var wouldBeLostInSync: Bool {
        !mi_thread_is_main() && mi_thread_current().pointee.main_bodies == 0 && isOnMainQueue
    }

    /// Runs `body` as called from main code on this very thread.
    static func onBehalfOfMain(_ body: () -> Void) {
        let thread = mi_thread_current()
        thread.pointee.main_bodies += 1
        defer { thread.pointee.main_bodies -= 1 }
        body()
    }

    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: key) != nil }

    private static let key: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
