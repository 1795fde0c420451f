import CMultiIdentity
import Dispatch

/// Answers whether code runs on main: the system's, unless a test or a host has one of its own.
///
/// The system's is the main thread, what the main dispatch queue or the main actor runs (on Linux a worker thread may do that), and
/// what such code runs through ``IdentityQueue/sync(execute:)->_``. Asking never needs a main run loop.
package struct MainProbe: Sendable {
    /// In a struct, so that a lock gives it out without an allocation.
    let isOnMain: @Sendable () -> Bool

    package static func system() -> Bool {
        mi_thread_is_main() || mi_thread_current().pointee.main_bodies > 0 || isOnMainQueue
    }

    /// True if a body that this thread runs in a `sync` would lose that its caller is on main: only the main queue
    /// tells so, and inside the body another queue is asked.
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
