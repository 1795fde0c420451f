#if os(Linux)
import CMultiIdentityAutomaticMode
import Dispatch
import Synchronization

/// Calls Dispatch as any Swift program does, to see which calls are intercepted.
///
/// Addresses would not show it: different libraries can find different functions under one name. Nothing is handed over
/// meanwhile and no thread is started.
enum AutomaticModeTrial {
    /// The entry points that Swift's Dispatch calls and that were not intercepted.
    static func missed() -> [String] {
        mi_automatic_try(true)
        callDispatch()
        mi_automatic_try(false)
        return entries.filter { mi_automatic_entry_is_tried($0) && !mi_automatic_entry_is_held($0) }.map(name)
    }

    /// The entry points that were intercepted.
    static var held: [String] { entries.filter(mi_automatic_entry_is_held).map(name) }

    private static var entries: Range<Int32> { 0..<mi_automatic_entry_count() }
    private static func name(of entry: Int32) -> String { String(cString: mi_automatic_entry_name(entry)) }

    /// Finds where Swift's runtime keeps the task that runs on a thread, with two that run here immediately, to their end.
    static func findTask() {
        mi_automatic_seek_task()
        mi_automatic_compare_task()
        _ = Task.immediateDetached {
            mi_automatic_compare_task()
            _ = Task.immediateDetached { mi_automatic_compare_task() }
            mi_automatic_compare_task()
        }
        mi_automatic_compare_task()
        mi_automatic_settle_task()
    }

    private static func callDispatch() {
        let (queue, group) = (DispatchQueue(label: "multi-identity.trial"), DispatchGroup())
        queue.async {}
        queue.async(flags: .barrier) {}
        queue.sync {}
        queue.sync(flags: .barrier) {}
        queue.asyncAfter(deadline: .now()) {}
        queue.async(group: group) {}
        group.notify(queue: queue) {}
        DispatchQueue.concurrentPerform(iterations: 1) { _ in }
        _ = DispatchWorkItem {}
        _ = DispatchWorkItem(qos: .utility) {}
        DispatchIO.read(fromFileDescriptor: -1, maxLength: 1, runningHandlerOn: queue) { _, _ in }
        DispatchIO.write(toFileDescriptor: -1, data: .empty, runningHandlerOn: queue) { _, _ in }
        source.setEventHandler {}
        source.setCancelHandler {}
        source.setRegistrationHandler {}
    }

    /// Never activated, and so never to be released.
    ///
    /// Safe without isolation: the trial alone uses it, once.
    private nonisolated(unsafe) static let source = DispatchSource.makeUserDataAddSource()
}
#endif
